package io.tidemill.api;

import tools.jackson.databind.node.ObjectNode;

/// Runs the tasks of one type (C2.9).
public interface TaskType {
  /// The type in tasks.
  String name();

  /// Works, on a thread of its own; called for many tasks at once.
  ///
  /// It is called again with the same id after a crash or a failure, so what it does must be safe
  /// to repeat. The thread is interrupted when the task is canceled, times out or is taken over.
  ///
  /// @return the result for `task.completed`
  /// @throws WorkFailure when it failed
  ObjectNode run(TaskCall call) throws Exception;
}
