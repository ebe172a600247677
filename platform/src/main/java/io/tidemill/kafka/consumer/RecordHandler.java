package io.tidemill.kafka.consumer;

import io.tidemill.kafka.KafkaRecord;
import io.tidemill.work.Settlement;

/// Handles records; called on a virtual thread, for one record of a key at a time.
@FunctionalInterface
public interface RecordHandler {
  /// An exception counts as [Settlement.Retry] after a growing pause.
  Settlement handle(RecordAttempt attempt) throws Exception;

  /// Higher priorities start first when capacity is short, without starving lower ones. Called on
  /// the polling thread, so it must not block.
  default int priority(KafkaRecord record) {
    return 0;
  }

  /// Whether the record needs no handling: it then counts as finished at once. Called on the
  /// polling thread, so it must be quick and not block.
  default boolean isIdle(KafkaRecord record) {
    return false;
  }
}
