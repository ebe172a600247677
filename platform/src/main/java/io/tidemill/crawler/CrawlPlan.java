package io.tidemill.crawler;

import io.tidemill.content.url.WebUrl;
import io.tidemill.contract.crawl.CrawlOptions;
import io.tidemill.crawl.CrawlRecord;
import io.tidemill.crawler.scope.CrawlScopeRules;
import io.tidemill.crawler.scope.ScopeConfig;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a crawl was asked to do; it does not change while the crawl runs.
///
/// @param trace the `traceparent` that its pages are fetched on behalf of
record CrawlPlan(String id, WebUrl seed, CrawlOptions options, @Nullable String trace) {
  /// Empty when nothing is kept of the crawl but its state.
  static Optional<CrawlPlan> of(CrawlRecord crawl) {
    return WebUrl.parse(crawl.url())
        .map(seed -> new CrawlPlan(crawl.id(), seed, crawl.options(), crawl.trace()));
  }

  /// How far the crawl may go.
  ///
  /// @param base the URL of its first page behind redirects
  CrawlScopeRules scope(WebUrl base, ScopeConfig config) {
    return new CrawlScopeRules(base, options, config);
  }
}
