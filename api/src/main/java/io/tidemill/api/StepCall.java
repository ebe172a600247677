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

  /// The same on every attempt at this step and of no other: name what you make after it.
  default String id() {
    return workflowId() + "-" + index();
  }

  /// When the first attempt at this step began.
  Instant startedAt();

  /// How many attempts at this step have failed.
  int failures();

  /// How often somebody has let the workflow begin again; what is told to people is told anew then.
  int life();

  /// What the workflow's `input` says for this step; empty when nothing.
  ObjectNode options();

  /// What the step said when it last returned [StepOutcome.Waiting]; null on the first call.
  @Nullable ObjectNode state();

  /// What the step before left, or the workflow's input.
  Records input();

  /// Where to write what the next step gets; small amounts stay in memory, larger ones go to the
  /// object store under a name of this step, so that writing again replaces it.
  RecordWriter output();

  /// Tells followers how far it is.
  ///
  /// @param fraction from 0 to 1
  void progress(double fraction, String message);
}
