package io.tidemill.deadletter.source;

import io.tidemill.deadletter.RedriveResult;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Lets a task begin again that failed for good.
@FunctionalInterface
public interface TaskRetry {
  /// @param data what it is to work on instead; null = what it had
  RedriveResult retry(String taskId, @Nullable JsonNode data);
}
