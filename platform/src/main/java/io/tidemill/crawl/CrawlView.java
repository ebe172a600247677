package io.tidemill.crawl;

import io.tidemill.contract.crawl.Crawl;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.contract.crawl.CrawlStatus;
import io.tidemill.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// A crawl as whoever asks for it sees it (C1.5).
public final class CrawlView {
  private static final List<String> COUNTS =
      List.of("found", "fetched", "skipped", "failed", "bytes");

  private static final Set<String> TEXTS = Set.of("scope", "project");

  private CrawlView() {}

  /// The entity. Whoever wrote it: it has its id and a status of ours (C1.3).
  public static ObjectNode of(Crawl crawl) {
    var entity = crawl.document().deepCopy();
    entity.put("id", crawl.id());
    entity.put("status", crawl.status().wire());
    entity.set("result", crawl.result().deepCopy());
    return entity;
  }

  /// The entity for a list of many: without what became of each page.
  public static ObjectNode brief(Crawl crawl) {
    var entity = of(crawl);
    if (entity.get("result") instanceof ObjectNode result) result.remove("pages");
    return entity;
  }

  /// Says in a list how far a crawl is; not where that is forgotten, or was never known.
  ///
  /// @param facts those of [CrawlStore#progress]
  public static ObjectNode withProgress(ObjectNode entity, Map<String, String> facts) {
    if (!facts.isEmpty()) progress(entity, facts);
    return entity;
  }

  /// The entity with its progress.
  ///
  /// @param facts those of [CrawlStore#facts]
  public static ObjectNode of(Crawl crawl, Map<String, String> facts) {
    var view = of(crawl);
    progress(view, facts);
    if (!crawl.status().isTerminal()) time(view, "rateLimitedUntil", facts, "limited_until");
    if (facts.containsKey("stopped_by")) view.put("stoppedBy", facts.get("stopped_by"));
    options(view, facts);
    return view;
  }

  private static void progress(ObjectNode view, Map<String, String> facts) {
    var progress = view.putObject("progress");
    for (var count : COUNTS) progress.put(count, number(facts, count));
    if (facts.containsKey("open") && !isOver(view)) {
      progress.put("waiting", number(facts, "open"));
    }
    time(view, "startedAt", facts, "started");
    time(view, "endedAt", facts, "ended");
  }

  // What it has not fetched by then lies about until a crawler clears it away.
  private static boolean isOver(ObjectNode view) {
    return CrawlStatus.of(view.path("status").asString("")).isTerminal();
  }

  // As they were asked for; a single page has none.
  private static void options(ObjectNode view, Map<String, String> facts) {
    var options = Json.object();
    facts.forEach((fact, text) -> {
      if (!fact.startsWith(CrawlNames.OPTION)) return;
      var name = fact.substring(CrawlNames.OPTION.length());
      options.set(name, TEXTS.contains(name) ? Json.tree(text) : Json.parse(text));
    });
    if (!options.isEmpty()) view.set("options", options);
  }

  private static long number(Map<String, String> facts, String name) {
    return Long.parseLong(facts.getOrDefault(name, "0"));
  }

  private static void time(ObjectNode out, String name, Map<String, String> facts, String fact) {
    var millis = number(facts, fact);
    if (millis > 0) out.put(name, Instant.ofEpochMilli(millis).toString());
  }
}
