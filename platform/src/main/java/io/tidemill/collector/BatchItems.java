package io.tidemill.collector;

import io.tidemill.collector.BatchReader.Entry;
import org.jspecify.annotations.Nullable;

/// The items of a batch.
@FunctionalInterface
interface BatchItems {
  /// The next; null after the last.
  @Nullable Entry next() throws BatchException;
}
