package io.tidemill.contract.job;

import org.jspecify.annotations.Nullable;

/// The record of one job: the nine fields of the hash (C3.1).
///
/// @param payload JSON text
/// @param result JSON text, null while there is none
/// @param error JSON text, null while there is none
public record Job(
    String jobId,
    String task,
    String payload,
    String status,
    long createdTs,
    long updatedTs,
    long ttlSeconds,
    @Nullable String result,
    @Nullable String error) {}
