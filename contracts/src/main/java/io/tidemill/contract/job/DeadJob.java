package io.tidemill.contract.job;

import org.jspecify.annotations.Nullable;

/// A queue entry that could not be processed, kept whole (G3).
///
/// @param id the dead stream's own id
/// @param origin the stream it came from, and the entry's id there
/// @param fields the original fields as JSON text; a value that is not UTF-8 stands as `{"base64":
///   …}`
public record DeadJob(
    String id,
    String origin,
    String originId,
    @Nullable String jobId,
    int attempts,
    String reason,
    String message,
    long ts,
    String fields) {}
