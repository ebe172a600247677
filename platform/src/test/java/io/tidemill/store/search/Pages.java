package io.tidemill.store.search;

import java.time.Duration;
import java.time.Instant;

/// Pages and settings for tests.
public final class Pages {
  static final Instant AT = Instant.parse("2026-01-04T01:09:27.123Z");

  static final SearchConfig CONFIG =
      new SearchConfig(
          "", Duration.ofSeconds(20), 100, 10_000, Duration.ZERO, 2, Duration.ofHours(24), 0.3);

  private Pages() {}

  /// An English page.
  public static PageDocument page(String url, String title, String main) {
    return page(url, title, main, "en", AT);
  }

  static PageDocument page(String url, String title, String main, String language, Instant at) {
    return new PageDocument(
        url, title, "", main, "", language, "text/html", 200, at, null, "crawl", "hash", "message");
  }

  static PageChange put(String url, String title, String main) {
    return new PageChange.Put(page(url, title, main));
  }

  static PageChange put(String url, String main, Instant at) {
    return new PageChange.Put(page(url, "A title", main, "en", at));
  }
}
