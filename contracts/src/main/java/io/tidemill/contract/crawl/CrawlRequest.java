package io.tidemill.contract.crawl;

/// The request for one crawl (C1.1).
///
/// @param createdAt ISO 8601, as it came
public record CrawlRequest(
    String id, String email, String createdAt, String url, CrawlOptions options) {}
