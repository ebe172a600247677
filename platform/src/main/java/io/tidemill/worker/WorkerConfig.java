package io.tidemill.worker;

import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import java.time.Duration;

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
    @Setting(value = "15m", doc = "How long one attempt at a job may take.") Duration timeout,
    @Setting(value = "1MiB", doc = "The largest result of a job, as JSON.")
        io.tidemill.config.ByteSize maxResult,
    @Setting(
            value = "20s",
            doc = "How long a stopping worker waits for jobs in flight before it hands them on.")
        Duration stopTimeout) {
  public WorkerConfig {
    atLeast("worker.slots", slots, 1);
    atLeast("worker.max-deliveries", maxDeliveries, 1);
    if (lease.toMillis() < 100) {
      throw new IllegalArgumentException("worker.lease is " + lease + ": expected 100 ms or more");
    }
    if (timeout.toMillis() < 1) {
      throw new IllegalArgumentException("worker.timeout is " + timeout + ": expected more than 0");
    }
  }

  private static void atLeast(String key, int value, int least) {
    if (value < least) {
      throw new IllegalArgumentException(key + " is " + value + ": expected at least " + least);
    }
  }
}
