package io.tidemill.job;

import io.tidemill.work.Lease;
import org.jspecify.annotations.Nullable;

/// A job whose queue entry a worker holds.
///
/// @param task empty when the entry does not name one
/// @param idempotencyKey kept alive with the job
public record HeldJob(Lease lease, String jobId, String task, @Nullable String idempotencyKey) {}
