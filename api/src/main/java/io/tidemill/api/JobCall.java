package io.tidemill.api;

import tools.jackson.databind.JsonNode;

/// One attempt at a job, as its handler sees it (C3.12).
public interface JobCall {
  /// The job's id: the same on every attempt, so a handler can make its effects idempotent.
  String id();

  /// What to work on.
  JsonNode payload();

  /// 1 on the first attempt.
  int attempt();

  /// Tells followers how far the job is.
  ///
  /// @param fraction from 0 to 1
  void progress(double fraction, String message);

  /// Tells followers something in words.
  void log(String message);

  /// Sends followers the next piece of a text that is being written.
  default void token(String text) {
    token(text, 1);
  }

  /// The same for a text that may be begun anew within this attempt. Who shows it throws away what
  /// came with an earlier attempt or take (F33).
  ///
  /// @param take 1 for the first, and one more each time that the text begins anew
  void token(String text, int take);

  /// From here on the handler only waits for its turn at something that others use, until
  /// [#resumes]: that time is not the job's own and does not count towards `worker.timeout`.
  default void waits() {}

  /// The wait is over.
  default void resumes() {}
}
