package io.tidemill.job;

import java.time.Duration;

/// The result of a submission (C3.2 to C3.4).
public sealed interface Submission {
  /// The job is in the queue, or in its tenant's line.
  record Accepted(String jobId) implements Submission {}

  /// The same idempotency key came with the same job before.
  record Repeated(String jobId) implements Submission {}

  /// Nothing was written.
  sealed interface Refused extends Submission {
    /// The reason, for the client.
    String why();
  }

  /// The idempotency key belongs to a job that asked for something else.
  record Conflict(String jobId) implements Refused {
    @Override
    public String why() {
      return "this Idempotency-Key was used for another body";
    }
  }

  /// The payload is larger than `jobs.max-payload`.
  record PayloadTooLarge(long bytes, long max) implements Refused {
    @Override
    public String why() {
      return "payload has %d bytes as compact JSON, %d at most".formatted(bytes, max);
    }
  }

  /// As many jobs wait or run as `jobs.max-waiting` allows.
  record QueueFull(long waiting, long max, Duration retryAfter) implements Refused {
    @Override
    public String why() {
      return "too many jobs wait; try again later";
    }
  }

  /// Redis uses more of its memory than `jobs.max-memory` allows.
  record StoreFull(Duration retryAfter) implements Refused {
    @Override
    public String why() {
      return "the job store is nearly full; try again later";
    }
  }
}
