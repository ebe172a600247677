package io.tidemill.contract.crawl;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One crawl as its owner sees it (C1.3).
///
/// @param result null node while there is none
/// @param document the entity as it is stored, with whatever else others wrote into it (G1)
public record Crawl(
    String id,
    String url,
    String email,
    CrawlStatus status,
    JsonNode result,
    String createdAt,
    ObjectNode document) {
  /// The same crawl with another result to show.
  public Crawl withResult(JsonNode other) {
    return new Crawl(id, url, email, status, other, createdAt, document);
  }
}
