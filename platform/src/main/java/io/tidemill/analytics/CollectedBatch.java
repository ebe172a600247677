package io.tidemill.analytics;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Which batch it is, and where it comes from.
///
/// @param key says for ever which one it is
/// @param etag says which version of it this is
/// @param format of the message that announced it
/// @param eventId empty when the message has none
/// @param contentCount items that were announced; null when nobody said
/// @param collectedAt by which newer versions of an item are told from older ones
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
