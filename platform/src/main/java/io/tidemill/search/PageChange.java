package io.tidemill.search;

import java.time.Instant;

/// A change of the index.
public sealed interface PageChange {
  /// The normalised URL of the page.
  String url();

  /// When the page was fetched, or found to be gone.
  Instant at();

  /// Adds or replaces a page.
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

  /// Removes a page that is gone or does not allow indexing.
  record Remove(String url, Instant at) implements PageChange {}
}
