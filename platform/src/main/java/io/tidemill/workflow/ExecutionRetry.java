package io.tidemill.workflow;

import io.tidemill.contract.workflow.ExecutionKind;
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
  record NotEnded(String status) implements ExecutionRetry {
    public String why(ExecutionKind kind) {
      return "the %s is %s: only what has failed or was canceled begins again"
          .formatted(kind.wire(), status);
    }
  }

  /// It can't begin at that step.
  record Impossible(String why) implements ExecutionRetry {}

  /// Its last event is not published yet.
  record Unsettled(Duration retryAfter) implements ExecutionRetry {
    public String why() {
      return "its last event is not published yet; try again in a moment";
    }
  }

  /// It is noted, and begins again when the broker is back.
  record Postponed(KafkaException cause, Duration retryAfter) implements ExecutionRetry {
    public String why(ExecutionKind kind) {
      return "the broker is away; the %s is noted and begins again when it is back"
          .formatted(kind.wire());
    }
  }
}
