package io.tidemill.contract.job;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// One entry of the queue stream as a worker reads it (C3.1).
///
/// @param task any name; the worker refuses unknown ones
/// @param payload what to work on; `{"_raw": …}` when the text was not JSON (C3.7)
/// @param traceparent the trace that the job belongs to, when the writer sent one (G5)
/// @param idempotencyKey the key to keep alive with the job, when the writer sent one (C3.4)
public record JobEntry(
    String jobId,
    String task,
    JsonNode payload,
    @Nullable String traceparent,
    @Nullable String idempotencyKey) {}
