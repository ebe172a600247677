package io.tidemill.workflow;

import io.tidemill.kafka.KafkaException;
import java.time.Duration;

/// What became of a workflow or task that was to begin again (C2.4).
public sealed interface ExecutionRetry
    permits ExecutionStart.Accepted,
        ExecutionStart.InputTooLarge,
        ExecutionStart.EventTooLarge,
        ExecutionRetry.Unknown,
        ExecutionRetry.NotEnded,
        ExecutionRetry.Impossible,
        ExecutionRetry.Unsettled,
        ExecutionRetry.Postponed {
  /// There is no such thing, or no more.
  record Unknown() implements ExecutionRetry {}

  /// Only what has failed or was canceled begins again.
  record NotEnded(String status) implements ExecutionRetry {}

  /// It can't begin at that step.
  record Impossible(String why) implements ExecutionRetry {}

  /// Its last event is not published yet.
  record Unsettled(Duration retryAfter) implements ExecutionRetry {}

  /// It is noted, and begins again when the broker is back.
  record Postponed(KafkaException cause, Duration retryAfter) implements ExecutionRetry {}
}
