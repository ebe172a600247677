package io.tidemill.job;

/// What a worker may do with a delivery (C3.7).
public sealed interface StartedJob {
  /// Work: the job is running in this worker's name.
  record Run(int ttlSeconds) implements StartedJob {}

  /// Nothing: the entry is acknowledged, because the job expired or had ended.
  record Skipped(String why) implements StartedJob {}

  /// Nothing: somebody else has the entry by now (C3.8).
  record Fenced() implements StartedJob {}
}
