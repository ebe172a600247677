package io.tidemill.store.redis;

/// What a worker may do with a delivery (C3.7).
public sealed interface Started {
  /// Work: the job is running in this worker's name.
  record Run(int ttlSeconds) implements Started {}

  /// Nothing: the entry is acknowledged, because the job expired or had ended.
  record Skipped(String why) implements Started {}

  /// Nothing: somebody else has the entry by now (C3.8).
  record Fenced() implements Started {}
}
