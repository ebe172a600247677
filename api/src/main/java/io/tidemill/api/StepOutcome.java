package io.tidemill.api;

import java.time.Duration;
import tools.jackson.databind.node.ObjectNode;

/// What a step says when it returns.
public sealed interface StepOutcome {
  /// It is done.
  ///
  /// @param result what `workflow.step.completed` carries
  /// @param output what the next step gets
  /// @param counts how many records came, passed and did not
  record Done(ObjectNode result, Records output, Counts counts) implements StepOutcome {}

  /// It waits for something outside: the step is called again after this time, with this state,
  /// however many restarts lie between. No thread waits meanwhile.
  record Waiting(ObjectNode state, Duration after) implements StepOutcome {}

  /// The records of a step; the last step that counts any makes the summary of its workflow.
  record Counts(long total, long successful, long failed) {
    /// All of them went well.
    public static Counts all(long total) {
      return new Counts(total, total, 0);
    }
  }
}
