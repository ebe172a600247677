package io.tidemill.api;

import java.time.Instant;
import tools.jackson.databind.node.ObjectNode;

/// One attempt at a task, as its type sees it.
public interface TaskCall {
  /// The task's id: the same on every attempt.
  String id();

  /// The task's own data.
  ObjectNode data();

  /// 0 on the first attempt.
  int retryCount();

  /// When the task was created.
  Instant createdAt();

  /// Publishes the progress to followers.
  ///
  /// @param fraction from 0 to 1
  void progress(double fraction, String message);
}
