package io.tidemill.store.redis;

/// What became of a submission (C3.2 to C3.4).
public sealed interface Submitted {
  /// The job is in the queue.
  record Created(String jobId) implements Submitted {}

  /// The idempotency key already has a job; what that one asked for stands beside.
  record Known(String jobId, String task, String payload, String ttlSeconds) implements Submitted {}

  /// Too many jobs wait; nothing was written.
  record Full(long waiting) implements Submitted {}
}
