package io.tidemill.search.query;

import io.tidemill.search.PageChange;
import io.tidemill.search.PageDocument;
import io.tidemill.search.SearchConfig;
import java.time.Duration;
import java.time.Instant;

/// Pages and settings for tests.
public final class SamplePageDocuments {
  public static final Instant AT = Instant.parse("2026-01-04T01:09:27.123Z");

  public static final SearchConfig CONFIG =
      new SearchConfig(
          "", Duration.ofSeconds(20), 100, 10_000, Duration.ZERO, 2, Duration.ofHours(24), 0.3);

  private SamplePageDocuments() {}

  /// An English page.
  public static PageDocument page(String url, String title, String main) {
    return page(url, title, main, "en", AT);
  }

  public static PageDocument page(
      String url, String title, String main, String language, Instant at) {
    return new PageDocument(
        url, title, "", main, "", language, "text/html", 200, at, null, "crawl", "hash", "message");
  }

  public static PageChange put(String url, String title, String main) {
    return new PageChange.Put(page(url, title, main));
  }

  public static PageChange put(String url, String main, Instant at) {
    return new PageChange.Put(page(url, "A title", main, "en", at));
  }
}
