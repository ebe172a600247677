package io.tidemill.api;

import tools.jackson.databind.node.ObjectNode;

/// Does the work of one type of task (C2.9).
public interface TaskType {
  /// The type that tasks name.
  String name();

  /// Works, on a thread of its own; called for many tasks at once.
  ///
  /// It is called again with the same id after a crash or a failure, so what it does must be safe
  /// to repeat. The thread is interrupted when the task is canceled, times out or is taken over.
  ///
  /// @return what `task.completed` carries
  /// @throws WorkFailure when it did not work
  ObjectNode run(TaskCall call) throws Exception;
}
