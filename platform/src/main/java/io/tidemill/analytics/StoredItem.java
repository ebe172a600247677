package io.tidemill.analytics;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// An item as it was stored.
///
/// @param duplicateOf the id of an item of the project that was there before and says nearly the
///   same; null when there is none
public record StoredItem(
    CollectedItem item, String jobId, @Nullable String duplicateOf, Instant collectedAt) {}
