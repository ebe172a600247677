package io.tidemill.store.redis;

/// A page that a crawl may go to.
///
/// @param identity the normalised URL (C4.4)
/// @param address the URL to fetch
public record FoundLink(String host, int depth, String identity, String address) {}
