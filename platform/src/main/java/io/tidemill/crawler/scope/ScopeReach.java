package io.tidemill.crawler.scope;

/// How far from its seed a crawl may go.
public enum ScopeReach {
  /// The seed's host, with or without `www.`, over `http` or `https`.
  HOST,
  /// The domain that somebody registered, with all hosts under it.
  DOMAIN,
  /// The seed's folder and what lies under it.
  PREFIX
}
