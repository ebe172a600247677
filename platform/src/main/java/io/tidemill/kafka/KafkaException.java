package io.tidemill.kafka;

import org.apache.kafka.common.errors.RecordTooLargeException;

/// Kafka did not do what was asked.
public final class KafkaException extends RuntimeException {
  public KafkaException(String message, Throwable cause) {
    super(message, cause);
  }

  /// Whether the record is larger than the broker takes: sending it again is of no use (F08).
  public boolean isTooLarge() {
    return getCause() instanceof RecordTooLargeException;
  }
}
