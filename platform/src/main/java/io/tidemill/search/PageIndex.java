package io.tidemill.search;

import java.util.List;

/// Writes pages to a search index.
public interface PageIndex extends AutoCloseable {
  /// Applies changes in order and returns when all are durable, or throws (C4.6).
  ///
  /// A change that is older than the indexed version of its URL is ignored (F38).
  ///
  /// @throws SearchException when none is applied; the call may be repeated
  void apply(List<PageChange> changes);

  @Override
  void close();
}
