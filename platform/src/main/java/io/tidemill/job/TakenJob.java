package io.tidemill.job;

import io.tidemill.work.Lease;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A delivered queue entry.
///
/// @param started null when [JobQueue#start] has to be called
public record TakenJob(Lease lease, Map<String, byte[]> fields, @Nullable StartedJob started) {}
