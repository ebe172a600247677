package io.tidemill.api;

import java.time.Duration;
import tools.jackson.databind.node.ObjectNode;

/// The result of a step.
public sealed interface StepOutcome {
  /// It has completed.
  ///
  /// @param result for `workflow.step.completed`
  /// @param output for the next step
  record Done(ObjectNode result, Records output, Counts counts) implements StepOutcome {}

  /// It waits for something external: the step is called again after this time with this state,
  /// also across restarts. No thread waits meanwhile.
  record Waiting(ObjectNode state, Duration after) implements StepOutcome {}

  /// The records of a step; the last step that counts any makes the summary of its workflow.
  record Counts(long total, long successful, long failed) {
    /// All were successful.
    public static Counts all(long total) {
      return new Counts(total, total, 0);
    }
  }
}
