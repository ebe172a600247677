package io.tidemill.job;

/// What became of a submission (C3.2 to C3.4).
public sealed interface SubmitResult {
  /// The job is in the queue.
  record Created(String jobId) implements SubmitResult {}

  /// The idempotency key already has a job; what that one asked for stands beside.
  record Known(String jobId, String task, String payload, String ttlSeconds)
      implements SubmitResult {}

  /// Too many jobs wait; nothing was written.
  record Full(long waiting) implements SubmitResult {}
}
