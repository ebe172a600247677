package io.tidemill.contract.collected;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// One batch lies in the object store (C5.2).
///
/// @param projectId null when the collector has none
/// @param platform in lower case
/// @param minioPath `bucket/path`, see [ObjectPath]
/// @param contentCount items in the batch
public record CollectedEvent(
    String eventId,
    Instant timestamp,
    @Nullable String projectId,
    String jobId,
    String platform,
    String minioPath,
    int contentCount,
    int batchIndex) {}
