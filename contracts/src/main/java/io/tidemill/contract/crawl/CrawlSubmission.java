package io.tidemill.contract.crawl;

/// The body of `POST /api/crawls` (C1.5).
public record CrawlSubmission(Email email, String url, CrawlOptions options) {}
