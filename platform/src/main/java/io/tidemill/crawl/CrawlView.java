package io.tidemill.crawl;

import io.tidemill.contract.crawl.Crawl;
import io.tidemill.contract.crawl.CrawlCodec;
import io.tidemill.contract.crawl.CrawlOptions;
import io.tidemill.contract.crawl.CrawlStatus;
import io.tidemill.json.IsoTime;
import io.tidemill.json.Json;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// A crawl as clients see it (C1.5).
public final class CrawlView {
  private static final Set<String> TEXTS = Set.of("scope", "project");

  private CrawlView() {}

  /// The entity, with id and status even where another program wrote it without (C1.3).
  public static ObjectNode of(Crawl crawl) {
    var entity = crawl.document().deepCopy();
    entity.put("id", crawl.id());
    entity.put("status", crawl.status().wire());
    entity.set("result", crawl.result().deepCopy());
    return entity;
  }

  /// The entity for a list of many: without its pages.
  public static ObjectNode brief(Crawl crawl) {
    var entity = of(crawl);
    if (entity.get("result") instanceof ObjectNode result) result.remove("pages");
    return entity;
  }

  /// Adds the progress in a list; nothing where it is no longer kept, or never was.
  public static ObjectNode withProgress(ObjectNode entity, Optional<CrawlCounters> counters) {
    counters.ifPresent(known -> progress(entity, known));
    return entity;
  }

  /// The entity with its progress and options.
  public static ObjectNode of(Crawl crawl, Optional<CrawlRecord> record) {
    var view = of(crawl);
    progress(view, record.map(CrawlRecord::counters).orElse(CrawlCounters.NONE));
    record.ifPresent(known -> {
      if (!crawl.status().isTerminal()) time(view, "rateLimitedUntil", known.limitedUntil());
      if (!known.stoppedBy().isEmpty()) view.put("stoppedBy", known.stoppedBy());
      options(view, known.options());
    });
    return view;
  }

  private static void progress(ObjectNode view, CrawlCounters counters) {
    var progress = view.putObject("progress");
    counters.byName().forEach(progress::put);
    var open = counters.open();
    if (open != null && !isOver(view)) progress.put("waiting", open);
    time(view, "startedAt", counters.startedAt());
    time(view, "endedAt", counters.endedAt());
  }

  // Pages that an ended crawl has not fetched stay queued until a crawler removes them.
  private static boolean isOver(ObjectNode view) {
    return CrawlStatus.of(view.path("status").asString("")).isTerminal();
  }

  // As the request named them; a single page has none.
  private static void options(ObjectNode view, CrawlOptions given) {
    var options = Json.object();
    CrawlCodec.encodeOptions(given)
        .forEach((name, text) ->
            options.set(name, TEXTS.contains(name) ? Json.tree(text) : Json.parse(text)));
    if (!options.isEmpty()) view.set("options", options);
  }

  private static void time(ObjectNode out, String name, @Nullable Instant at) {
    if (at != null) out.put(name, IsoTime.text(at));
  }
}
