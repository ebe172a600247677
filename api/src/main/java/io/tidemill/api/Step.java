package io.tidemill.api;

import tools.jackson.databind.node.ObjectNode;

/// One kind of workflow step (C2.8). Found by `ServiceLoader`: name the class in
/// `META-INF/services/io.tidemill.api.Step` of a jar in `data/plugins`.
public interface Step {
  /// The name in workflows.
  String name();

  /// Validates the options: called for every step before the workflow's first one runs, and again
  /// whenever the workflow resumes.
  ///
  /// @throws WorkFailure permanent, with the name of the option and what was expected
  default void check(ObjectNode options) throws WorkFailure {}

  /// Works, on a thread of its own; called for many workflows at once.
  ///
  /// After a crash it is called again with the same workflow and index, so what it does must be
  /// safe to repeat: write under names made of [StepCall#id]. The thread is interrupted when the
  /// workflow is canceled, times out or is taken over.
  ///
  /// @throws WorkFailure when it can't be done, with a code that clients can rely on
  StepOutcome run(StepCall call) throws Exception;

  /// Whether it has no side effects: it only maps records to records. After a quick one, the next
  /// step may start before the end of this one is stored.
  default boolean isRepeatable() {
    return false;
  }

  /// Cancels work that the step started elsewhere: the workflow was canceled while it waited or
  /// ran. Called once or more.
  default void canceled(StepCall call) throws Exception {}
}
