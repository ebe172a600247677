package io.tidemill.workflow;

import io.tidemill.api.StepOutcome.Counts;
import io.tidemill.contract.workflow.ExecutionError;
import java.time.Duration;
import tools.jackson.databind.node.ObjectNode;

/// What happened to a workflow.
public sealed interface WorkflowOutcome {
  /// A processor begins with it, for the first time or again.
  record Started() implements WorkflowOutcome {}

  /// The current step is done.
  ///
  /// @param output where the records are that it left
  /// @param isRepeatable whether the step may run again after a crash
  record StepDone(ObjectNode result, ObjectNode output, Counts counts, boolean isRepeatable)
      implements WorkflowOutcome {}

  /// The current step waits for something outside.
  record StepWaits(ObjectNode state, Duration after) implements WorkflowOutcome {}

  /// An attempt failed for a reason that may pass.
  ///
  /// @param maxAttempts after which the workflow fails
  /// @param pause before the next attempt
  record StepFailedTransient(ExecutionError failure, int maxAttempts, Duration pause)
      implements WorkflowOutcome {}

  record StepFailedPermanent(ExecutionError failure) implements WorkflowOutcome {}

  /// A step that has not run yet can't run; the workflow fails with it.
  record StepRejected(int index, ExecutionError failure) implements WorkflowOutcome {}

  /// Too many processes died while they held it.
  record TooManyTakes() implements WorkflowOutcome {}

  record Canceled(String reason) implements WorkflowOutcome {}

  /// The broker did not take its `created` event.
  record Unpublished() implements WorkflowOutcome {}
}
