package io.tidemill.job;

/// The answer to a worker that starts a delivered job (C3.7).
public sealed interface StartedJob {
  /// The job runs in this worker's name.
  ///
  /// @param attempt 1 for the first; counts starts, also those whose delivery does not count
  record Run(int ttlSeconds, int attempt) implements StartedJob {}

  /// The job expired or has ended; the entry is acknowledged.
  record Skipped() implements StartedJob {}

  /// Another worker holds the entry by now (C3.8).
  record Fenced() implements StartedJob {}
}
