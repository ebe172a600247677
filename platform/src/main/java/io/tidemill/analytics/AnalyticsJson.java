package io.tidemill.analytics;

import io.tidemill.analytics.ProjectOverview.SentimentCounts;
import io.tidemill.analytics.ProjectOverview.Share;
import io.tidemill.analytics.ProjectOverview.Totals;
import io.tidemill.json.Json;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Projects and items as clients and tools get them.
public final class AnalyticsJson {
  private AnalyticsJson() {}

  public static ObjectNode encode(ProjectStore.Summary project) {
    var tree = Json.object().put("project", project.project());
    tree.set("totals", encode(project.totals()));
    return tree.put("latest", ItemJson.text(project.latest()));
  }

  /// The overview of a project.
  public static ObjectNode encode(String project, ProjectOverview found) {
    var tree = Json.object().put("project", project);
    tree.set("totals", encode(found.totals()));
    tree.put("duplicates", found.duplicates());
    tree.put("latest", ItemJson.text(found.latest()));
    shares("platform", found.platforms(), tree.putArray("platforms"));
    shares("language", found.languages(), tree.putArray("languages"));
    var times = tree.putArray("sentiment");
    for (var slot : found.times()) {
      put(slot.counts(), times.addObject().put("at", ItemJson.text(slot.at())));
    }
    var keywords = tree.putArray("keywords");
    for (var word : found.keywords()) {
      keywords
          .addObject()
          .put("keyword", word.keyword())
          .put("items", word.items())
          .put("score", ItemJson.rounded(word.score()))
          .put("sentiment", ItemJson.rounded(word.sentiment()));
    }
    var items = tree.putArray("items");
    for (var item : found.items()) items.add(ItemJson.of(item));
    var failures = tree.putArray("failures");
    for (var failure : found.failures()) {
      failures
          .addObject()
          .put("code", failure.code())
          .put("category", failure.category())
          .put("items", failure.items());
    }
    return tree;
  }

  private static ObjectNode encode(Totals totals) {
    return Json.object()
        .put("items", totals.items())
        .put("batches", totals.batches())
        .put("failed", totals.failed());
  }

  private static void shares(String name, List<Share> shares, ArrayNode into) {
    for (var share : shares) put(share.counts(), into.addObject().put(name, share.name()));
  }

  private static void put(SentimentCounts counts, ObjectNode into) {
    into.put("items", counts.items())
        .put("sentiment", ItemJson.rounded(counts.sentiment()))
        .put("positive", counts.positive())
        .put("neutral", counts.neutral())
        .put("negative", counts.negative());
  }

  public static ObjectNode encode(ProjectStore.Page page) {
    var tree = Json.object();
    var items = tree.putArray("items");
    for (var item : page.items()) items.add(ItemJson.of(item));
    if (page.next() != null) tree.put("next", page.next());
    return tree;
  }

  public static ObjectNode encode(ItemFailure failure) {
    return Json.object()
        .put("platform", failure.platform())
        .put("position", failure.position())
        .put("id", failure.id())
        .put("url", failure.url())
        .put("code", failure.code())
        .put("category", failure.category())
        .put("message", failure.message());
  }
}
