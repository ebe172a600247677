package io.tidemill.crawl;

/// A page that a crawl may go to.
///
/// @param identity the normalised URL (C4.4)
/// @param address the URL to fetch
public record FrontierLink(String host, int depth, String identity, String address) {}
