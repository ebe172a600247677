package io.tidemill.dashboard.recordsearch;

import io.tidemill.recordsearch.RecordIndex;
import java.time.Duration;
import java.util.Map;

/// One place from which things come that can be found.
///
/// Used by one thread, but for [#wake].
interface RecordFeed extends AutoCloseable {
  /// Puts some of what is new into the index.
  ///
  /// @param patience how long it may wait when there is nothing
  /// @return how many changes it saw
  int round(RecordIndex index, Duration patience);

  /// How far it has come, in words that mean something to itself.
  Map<String, String> marks();

  /// How many changes are still to be read, as far as is known.
  long behind();

  /// How many were left out because there were too many.
  long skipped();

  /// Ends a round that waits.
  default void wake() {}

  @Override
  default void close() {}
}
