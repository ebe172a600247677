package io.tidemill.api;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// One attempt at one step of a workflow, as the step sees it.
public interface StepCall {
  /// The workflow.
  String workflowId();

  /// The workflow's name, for people.
  String workflowName();

  /// The step's place in its workflow, from 0.
  int index();

  /// Unique to the step and the same on every attempt: use it in names of what the step makes.
  default String id() {
    return workflowId() + "-" + index();
  }

  /// When the first attempt at this step began.
  Instant startedAt();

  /// How many attempts at this step have failed.
  int failures();

  /// How often the workflow was retried by a client; notifications are sent again in each life.
  int life();

  /// The options of this step in the workflow's `input`; empty when there are none.
  ObjectNode options();

  /// The state of the last [StepOutcome.Waiting]; null on the first call.
  @Nullable ObjectNode state();

  /// The output of the step before, or the workflow's input.
  Records input();

  /// A writer for the input of the next step: few records stay in memory, more go to the object
  /// store under a name of this step, so that another attempt replaces them.
  RecordWriter output();

  /// Publishes the progress to followers.
  ///
  /// @param fraction from 0 to 1
  void progress(double fraction, String message);
}
