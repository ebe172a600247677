package io.tidemill.crawler;

import io.tidemill.content.url.WebUrl;
import io.tidemill.contract.crawl.CrawlCodec;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.contract.crawl.CrawlOptions;
import io.tidemill.crawler.scope.CrawlScopeRules;
import io.tidemill.crawler.scope.ScopeConfig;
import io.tidemill.crawler.scope.ScopeReach;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a crawl is about, as it was asked for.
///
/// @param trace the `traceparent` that its pages are fetched on behalf of
record CrawlPlan(String id, WebUrl seed, CrawlOptions options, @Nullable String trace) {
  /// Whether the request brought a `traceparent`: only then do its answers carry one.
  static final String IS_TRACED = "traced";

  private static final int LINKS_FOR_A_PAGE = 20;
  private static final int LEAST_KNOWN = 1_000;
  private static final int MOST_KNOWN = 2_000_000;

  /// As the frontier remembers it.
  Map<String, Object> fields() {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("url", seed.href());
    fields.put("max_pages", options.maxPages());
    fields.put("max_bytes", options.maxBytes());
    fields.put("max_seconds", options.maxSeconds());
    fields.put("recrawl", options.recrawl() ? "1" : "0");
    if (options.dryRun()) fields.put("dry", "1");
    // Some pages fail and some are no pages: more are known than fetched, but not without limit.
    fields.put(
        "max_known",
        Math.clamp((long) options.maxPages() * LINKS_FOR_A_PAGE, LEAST_KNOWN, MOST_KNOWN));
    CrawlCodec.encodeOptions(options)
        .forEach((name, text) -> fields.put(CrawlNames.OPTION + name, text));
    if (trace != null) fields.put("trace", trace);
    return fields;
  }

  /// What [#fields] wrote; empty when the crawl is gone.
  static Optional<CrawlPlan> of(String id, Map<String, byte[]> fields) {
    var texts = new LinkedHashMap<String, String>();
    fields.forEach((name, bytes) -> texts.put(name, new String(bytes, StandardCharsets.UTF_8)));
    var options = new LinkedHashMap<String, String>();
    texts.forEach((name, text) -> {
      if (name.startsWith(CrawlNames.OPTION)) {
        options.put(name.substring(CrawlNames.OPTION.length()), text);
      }
    });
    return WebUrl.parse(texts.getOrDefault("url", ""))
        .map(
            seed -> new CrawlPlan(id, seed, CrawlCodec.decodeOptions(options), texts.get("trace")));
  }

  /// The `traceparent` for answers to whoever asked for the crawl; null when none was sent.
  static @Nullable String answerTrace(Map<String, byte[]> fields) {
    var trace = fields.containsKey(IS_TRACED) ? fields.get("trace") : null;
    return trace == null ? null : new String(trace, StandardCharsets.UTF_8);
  }

  /// How far the crawl may go.
  ///
  /// @param base where its first page really was
  CrawlScopeRules scope(WebUrl base, ScopeConfig config) {
    return new CrawlScopeRules(
        base,
        ScopeReach.valueOf(options.scope().name()),
        options.maxDepth(),
        options.include(),
        options.exclude(),
        config);
  }
}
