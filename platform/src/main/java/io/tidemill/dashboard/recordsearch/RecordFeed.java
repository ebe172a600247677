package io.tidemill.dashboard.recordsearch;

import io.tidemill.recordsearch.RecordIndex;
import java.time.Duration;
import java.util.Map;

/// A source of changes for the record index.
///
/// Used by one thread, except for [#wake].
interface RecordFeed extends AutoCloseable {
  /// Indexes the next changes.
  ///
  /// @param patience how long it may wait for the first one
  /// @return number of changes
  int poll(RecordIndex index, Duration patience);

  /// The position to resume from.
  Map<String, String> checkpoint();

  /// Changes that are still to be read, as far as is known.
  long behind();

  /// Changes that were skipped because there were too many.
  long skipped();

  /// Ends a [#poll] that waits.
  default void wake() {}

  @Override
  default void close() {}
}
