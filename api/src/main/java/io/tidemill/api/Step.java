package io.tidemill.api;

import tools.jackson.databind.node.ObjectNode;

/// One kind of workflow step (C2.8). Found by `ServiceLoader`: name the class in
/// `META-INF/services/io.tidemill.api.Step` of a jar in `data/plugins`.
public interface Step {
  /// The name that workflows call it by.
  String name();

  /// Refuses options that can't be meant, without doing anything yet: asked for every step before
  /// the workflow's first one runs, and again whenever the workflow is taken up.
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

  /// Whether nobody notices when it is done twice: it only makes records of records. If it was
  /// quick, the next step may then start before this one's end is written down.
  default boolean isRepeatable() {
    return false;
  }

  /// Calls off what it set going elsewhere: the workflow was canceled while this step waited or
  /// ran. Called once or more.
  default void canceled(StepCall call) throws Exception {}
}
