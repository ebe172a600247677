package io.tidemill.contract.crawl;

/// What a record of `crawl-requests` turns out to be (C1.7).
public sealed interface CrawlAsk {
  /// A request to work on.
  record Valid(CrawlRequest request, CrawlOrigin origin) implements CrawlAsk {}

  /// Not a request, but we know whom to tell.
  record Refused(String id, CrawlOrigin origin, String why) implements CrawlAsk {}

  /// Not a request, and nobody to tell.
  record Hopeless(String why) implements CrawlAsk {}
}
