package io.tidemill.workflow;

import io.tidemill.config.ByteSize;
import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import java.time.Duration;
import java.util.List;

/// What gateway and processors agree on about workflows and tasks, read from keys `flows.*`.
@Section("flows")
public record WorkflowsConfig(
    @Setting(value = "7d", doc = "How long a workflow or task is kept after it has ended.")
        Duration keep,
    @Setting(
            value = "100000",
            doc = "Workflows (and as many tasks) that may wait; above it their POST answers 429.")
        int maxWaiting,
    @Setting(value = "512KiB", doc = "The largest input of a workflow or data of a task.")
        ByteSize maxInput,
    @Setting(
            value = "",
            doc =
                "Types of tasks that POST /api/tasks takes beside ours, because a plugin runs them.")
        List<String> taskTypes,
    @Setting(
            value = "30s",
            doc = "How long a gateway may take to publish before another one does it.")
        Duration doubtAfter,
    @Setting(value = "24h", doc = "How long an Idempotency-Key of a workflow or task is known.")
        Duration keyTtl,
    @Setting(value = "15s", doc = "Time between two heartbeat comments on an event stream.")
        Duration heartbeat) {
  public WorkflowsConfig {
    taskTypes = List.copyOf(taskTypes);
    require(keep, "keep");
    require(doubtAfter, "doubt-after");
    require(keyTtl, "key-ttl");
    require(heartbeat, "heartbeat");
    if (maxWaiting < 1) {
      throw new IllegalArgumentException(
          "flows.max-waiting is " + maxWaiting + ": expected at least 1");
    }
  }

  private static void require(Duration duration, String name) {
    if (duration.toMillis() < 1) {
      throw new IllegalArgumentException(
          "flows." + name + " is " + duration + ": expected more than 0");
    }
  }
}
