package io.tidemill.job;

import io.tidemill.work.Lease;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A queue entry that was read and, where that needed no second look, started.
///
/// @param started null when [JobStore#start] has to decide
public record TakenJob(Lease lease, Map<String, byte[]> fields, @Nullable StartedJob started) {}
