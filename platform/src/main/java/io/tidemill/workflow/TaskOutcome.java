package io.tidemill.workflow;

import io.tidemill.contract.workflow.ExecutionError;
import java.time.Duration;
import tools.jackson.databind.node.ObjectNode;

/// What happened to a task.
public sealed interface TaskOutcome {
  /// A processor begins with an attempt.
  record Started() implements TaskOutcome {}

  record Done(ObjectNode result) implements TaskOutcome {}

  /// An attempt failed for a reason that may pass.
  ///
  /// @param pause before the next attempt
  record FailedTransient(ExecutionError failure, Duration pause) implements TaskOutcome {}

  record FailedPermanent(ExecutionError failure) implements TaskOutcome {}

  /// Too many processes died while they held it.
  record TooManyTakes() implements TaskOutcome {}

  record Canceled(String reason) implements TaskOutcome {}

  /// The broker did not take its `created` event.
  record Unpublished() implements TaskOutcome {}
}
