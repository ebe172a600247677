package io.tidemill.search;

import java.time.Instant;

/// What a message asks of the index.
public sealed interface PageChange {
  /// The normalised URL that it is about.
  String url();

  /// When the page was seen so.
  Instant at();

  /// The page is like this now.
  record Put(PageDocument page) implements PageChange {
    @Override
    public String url() {
      return page.url();
    }

    @Override
    public Instant at() {
      return page.fetchedAt();
    }
  }

  /// The page is gone, or does not want to be found.
  record Remove(String url, Instant at) implements PageChange {}
}
