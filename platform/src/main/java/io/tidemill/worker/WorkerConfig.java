package io.tidemill.worker;

import io.tidemill.config.ByteSize;
import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import io.tidemill.contract.job.JobTask;
import java.time.Duration;
import java.util.List;

/// Settings of the worker role, read from keys `worker.*`.
@Section("worker")
public record WorkerConfig(
    @Setting(value = "64", doc = "Jobs that one worker process runs at once.") int slots,
    @Setting(
            value = "15s",
            doc =
                "How long a worker may stay silent before others take over its jobs; it renews three times as often.")
        Duration lease,
    @Setting(
            value = "5",
            doc = "Deliveries of one job before it ends as error and goes to the dead jobs.")
        int maxDeliveries,
    @Setting(
            value = "15m",
            doc =
                "How long one attempt at a job may take; waits for a turn at the model do not count.")
        Duration timeout,
    @Setting(value = "1MiB", doc = "The largest result of a job, as JSON.") ByteSize maxResult,
    @Setting(
            value = "20s",
            doc = "How long a stopping worker waits for jobs in flight before it hands them on.")
        Duration stopTimeout,
    @Setting(
            value = "chat,plan,code,tool,rag,embed",
            doc =
                "The tasks that this worker does; jobs of others it leaves to workers that do them.")
        List<String> tasks) {
  public WorkerConfig {
    tasks = tasks.stream().distinct().toList();
    if (tasks.isEmpty())
      throw new IllegalArgumentException("worker.tasks is empty: expected " + some());
    for (var task : tasks) {
      if (JobTask.of(task).isEmpty()) {
        throw new IllegalArgumentException("worker.tasks has '" + task + "': expected " + some());
      }
    }
    atLeast("worker.slots", slots, 1);
    atLeast("worker.max-deliveries", maxDeliveries, 1);
    if (lease.toMillis() < 100) {
      throw new IllegalArgumentException("worker.lease is " + lease + ": expected 100 ms or more");
    }
    if (timeout.toMillis() < 1) {
      throw new IllegalArgumentException("worker.timeout is " + timeout + ": expected more than 0");
    }
  }

  /// The tasks as the worker announces them, a comma before and behind each; empty for all.
  String announcement() {
    return tasks.size() < JobTask.values().length ? "," + String.join(",", tasks) + "," : "";
  }

  /// Whether this worker does the task.
  public boolean does(String task) {
    return tasks.contains(task) || announcement().isEmpty();
  }

  private static String some() {
    return "some of " + JobTask.NAMES;
  }

  private static void atLeast(String key, int value, int least) {
    if (value < least) {
      throw new IllegalArgumentException(key + " is " + value + ": expected at least " + least);
    }
  }
}
