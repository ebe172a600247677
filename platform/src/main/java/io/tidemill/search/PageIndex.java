package io.tidemill.search;

import java.util.List;

/// Where pages are kept for searching.
public interface PageIndex extends AutoCloseable {
  /// Takes changes in order and returns when they are durable: all of them, or it throws (C4.6).
  ///
  /// A change that is older than what the index has of that URL changes nothing (F38).
  ///
  /// @throws SearchException when the index did not take them; then they may be given again
  void apply(List<PageChange> changes);

  @Override
  void close();
}
