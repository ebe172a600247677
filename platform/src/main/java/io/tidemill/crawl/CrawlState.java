package io.tidemill.crawl;

import java.util.Locale;

/// The state of a crawl in the frontier; the owner's entity has a status of its own.
public enum CrawlState {
  /// The gateway noted the request; no crawler has taken it in.
  NOTED,
  RUNNING,
  /// No page is left to fetch; the response is still to be published.
  ENDING,
  CANCELED,
  ENDED;

  /// The value in the hash.
  public String wire() {
    return this == NOTED ? "" : name().toLowerCase(Locale.ROOT);
  }

  static CrawlState of(String wire) {
    for (var state : values()) {
      if (state.wire().equals(wire)) return state;
    }
    throw new IllegalArgumentException("no state of a crawl: " + wire);
  }
}
