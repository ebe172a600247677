package io.tidemill.broker.kafka;

/// Kafka did not do what was asked.
public final class KafkaException extends RuntimeException {
  KafkaException(String message, Throwable cause) {
    super(message, cause);
  }
}
