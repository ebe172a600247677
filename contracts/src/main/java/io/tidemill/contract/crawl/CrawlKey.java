package io.tidemill.contract.crawl;

/// Where an entity is found: in whose hash, and under which id (C1.3).
public record CrawlKey(String email, String id) {}
