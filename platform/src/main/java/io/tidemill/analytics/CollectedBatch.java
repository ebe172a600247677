package io.tidemill.analytics;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A batch and its origin.
///
/// @param key the batch's identity
/// @param etag its version
/// @param format of the message that announced it
/// @param eventId empty when the message has none
/// @param contentCount the announced number of items; null when it is unknown
/// @param collectedAt orders the versions of an item
public record CollectedBatch(
    String key,
    String etag,
    String format,
    String eventId,
    String projectId,
    String jobId,
    String platform,
    int index,
    String bucket,
    String path,
    @Nullable Integer contentCount,
    Instant collectedAt) {}
