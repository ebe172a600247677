package io.tidemill.kafka.consumer;

import io.tidemill.kafka.KafkaRecord;
import java.util.function.BooleanSupplier;

/// One try at one record.
///
/// @param number 1 for the first since this process read the record
/// @param ours what [#isOurs] asks
public record RecordAttempt(KafkaRecord record, int number, BooleanSupplier ours) {
  /// Whether the record's partition is still this process's; when not, somebody else may be at work
  /// on it already, and nothing more may be written (F03). The thread is interrupted then, too.
  ///
  /// A process that slept through its session may see `true` for a moment after waking if it was
  /// cut off from the broker only: a store that must be sure checks a fence of its own.
  public boolean isOurs() {
    return ours.getAsBoolean();
  }
}
