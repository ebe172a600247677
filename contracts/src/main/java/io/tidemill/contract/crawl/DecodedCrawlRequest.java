package io.tidemill.contract.crawl;

/// A record of `crawl-requests`, decoded (C1.7).
public sealed interface DecodedCrawlRequest {
  /// A request.
  record Valid(CrawlRequest request, CrawlOrigin origin) implements DecodedCrawlRequest {}

  /// Not a request; its headers name the crawl that has failed.
  record Refused(String id, CrawlOrigin origin, String why) implements DecodedCrawlRequest {}

  /// Not a request, and its headers name no crawl.
  record Unaddressed(String why) implements DecodedCrawlRequest {}
}
