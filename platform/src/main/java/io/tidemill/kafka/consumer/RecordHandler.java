package io.tidemill.kafka.consumer;

import io.tidemill.kafka.KafkaRecord;
import io.tidemill.work.Settlement;

/// Does the work that a record asks for; called on a virtual thread, one record of a key at a time.
@FunctionalInterface
public interface RecordHandler {
  /// Anything thrown counts as [Settlement.Retry] after a growing pause.
  Settlement handle(RecordAttempt attempt) throws Exception;

  /// Who starts first when capacity is short: higher before lower, though nobody waits for ever.
  /// Called on the thread that reads, so it must not wait.
  default int priority(KafkaRecord record) {
    return 0;
  }

  /// Whether the record asks for nothing: it then counts as finished without a thread of its own.
  /// Called on the thread that reads, so it must not wait, nor look far.
  default boolean isIdle(KafkaRecord record) {
    return false;
  }
}
