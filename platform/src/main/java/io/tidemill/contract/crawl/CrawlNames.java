package io.tidemill.contract.crawl;

/// Every name of contract C1, spelled once.
public final class CrawlNames {
  /// Where the gateway asks.
  public static final String REQUESTS = "crawl-requests";

  /// Where the crawler answers.
  public static final String RESPONSES = "crawl-responses";

  private CrawlNames() {}
}
