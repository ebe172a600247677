package io.tidemill.kafka.consumer;

import io.tidemill.kafka.KafkaRecord;
import java.util.function.BooleanSupplier;

/// One attempt at one record.
///
/// @param number counted attempts since this process read the record, starting at 1
/// @param ours backs [#isOurs]
public record RecordAttempt(KafkaRecord record, int number, BooleanSupplier ours) {
  /// Whether the record's partition is still assigned to this process. When not, another process
  /// may handle the record already, and nothing more may be written (F03); the thread is
  /// interrupted, too.
  ///
  /// A process that was cut off from the broker may see `true` for a moment longer: a store that
  /// must be sure uses a fencing token of its own.
  public boolean isOurs() {
    return ours.getAsBoolean();
  }
}
