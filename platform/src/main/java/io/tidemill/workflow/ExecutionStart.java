package io.tidemill.workflow;

import io.tidemill.kafka.KafkaException;
import java.time.Duration;

/// What became of a workflow or task that was to be started (C2.4).
public sealed interface ExecutionStart {
  /// What can become of one whose id the caller has chosen.
  sealed interface WithId extends ExecutionStart {}

  /// Its `created` event is in Kafka.
  record Accepted(String id) implements WithId, ExecutionRetry {}

  /// It was started before.
  record Repeated(String id) implements WithId {}

  /// As many wait as `flows.max-waiting` allows; nothing was written.
  record QueueFull(long waiting, long max, Duration retryAfter) implements WithId {}

  /// What it is to work on is larger than `flows.max-input`.
  ///
  /// @param field that has it
  record InputTooLarge(String field, long bytes, long max) implements WithId, ExecutionRetry {
    public String why() {
      return "%s has %d bytes as compact JSON, %d at most".formatted(field, bytes, max);
    }
  }

  /// Its event is larger than the broker takes: trying again is of no use (F08).
  record EventTooLarge(KafkaException cause) implements WithId, ExecutionRetry {
    public String why() {
      return "the event is larger than the broker takes";
    }
  }

  /// The broker did not take the event.
  record NotPublished(KafkaException cause, Duration retryAfter) implements WithId {}

  /// The idempotency key came with another body before.
  record Conflict() implements ExecutionStart {
    public String why() {
      return "this Idempotency-Key was used for another body";
    }
  }

  /// The first start with this idempotency key waits for the broker.
  record Busy() implements ExecutionStart {}
}
