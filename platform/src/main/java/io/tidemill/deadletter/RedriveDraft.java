package io.tidemill.deadletter;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A message as it would go out: what its contract is asked about.
///
/// @param channel topic or queue
/// @param headers the last of each name
@SuppressWarnings("ArrayRecordComponent") // compared nowhere: bytes pass through
public record RedriveDraft(
    String channel, byte @Nullable [] key, Map<String, byte[]> headers, byte @Nullable [] value) {}
