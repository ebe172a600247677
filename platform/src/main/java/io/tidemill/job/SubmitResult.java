package io.tidemill.job;

/// The store's answer to a submission (C3.2 to C3.4).
public sealed interface SubmitResult {
  /// The job is in the queue.
  record Created(String jobId) implements SubmitResult {}

  /// The idempotency key belongs to this job.
  record Known(String jobId, String task, String payload, String ttlSeconds)
      implements SubmitResult {}

  /// The queue is full; nothing was written.
  record Full(long waiting) implements SubmitResult {}
}
