package io.tidemill.api;

import tools.jackson.databind.JsonNode;

/// One attempt at a job, as its handler sees it (C3.12).
public interface JobCall {
  /// The job's id: the same on every attempt, so a handler can make its effects idempotent.
  String id();

  JsonNode payload();

  /// 1 on the first attempt.
  int attempt();

  /// Publishes the job's progress to its followers.
  ///
  /// @param fraction from 0 to 1
  void progress(double fraction, String message);

  /// Publishes a log line to its followers.
  void log(String message);

  /// Publishes the next piece of a text that is being generated.
  default void token(String text) {
    token(text, 1);
  }

  /// The same for a text that may restart within this attempt: clients discard the text of earlier
  /// attempts and takes (F33).
  ///
  /// @param take 1 at first, incremented each time that the text restarts
  void token(String text, int take);

  /// The handler begins to wait for a shared resource, until [#resumes]: that time does not count
  /// towards `worker.timeout`.
  default void waits() {}

  /// The wait is over.
  default void resumes() {}
}
