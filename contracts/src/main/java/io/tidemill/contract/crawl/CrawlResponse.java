package io.tidemill.contract.crawl;

import tools.jackson.databind.JsonNode;

/// How a crawl went (C1.2).
public sealed interface CrawlResponse {
  /// @param scrapedData an object or a string
  record Success(JsonNode scrapedData) implements CrawlResponse {}

  record Failure(String errorMessage) implements CrawlResponse {}
}
