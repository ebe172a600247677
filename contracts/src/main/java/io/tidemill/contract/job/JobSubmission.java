package io.tidemill.contract.job;

/// A job as a client asks for it: valid, but not yet admitted.
///
/// @param payload compact JSON of an object
/// @param ttlSeconds how long the job is kept after its last change
public record JobSubmission(JobTask task, String payload, int ttlSeconds) {}
