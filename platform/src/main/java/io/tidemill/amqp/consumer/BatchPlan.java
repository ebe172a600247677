package io.tidemill.amqp.consumer;

import io.tidemill.config.ByteSize;
import io.tidemill.work.Backoff;
import java.time.Duration;

/// What a [BatchConsumer] reads, and how much of it at once.
///
/// @param dead the queue for what can never be handled
/// @param batch deliveries that are handled together at most
/// @param linger how long the first of a batch waits for others at most
/// @param bytes deliveries may hold in memory about that much (F41)
/// @param tries of a delivery that fails while others get through
/// @param backoff between tries
/// @param holdAtMost how long a delivery may stay unsettled before it goes back to the queue:
///   brokers lose patience after half an hour (F42)
public record BatchPlan(
    String queue,
    String dead,
    int batch,
    Duration linger,
    ByteSize bytes,
    int tries,
    Backoff backoff,
    Duration holdAtMost) {
  public BatchPlan {
    if (batch < 1) throw new IllegalArgumentException("batch is " + batch);
    if (tries < 1) throw new IllegalArgumentException("tries is " + tries);
  }

  /// Batches of a hundred, within 200 ms and 32 MiB.
  public static BatchPlan of(String queue, String dead) {
    return new BatchPlan(
        queue,
        dead,
        100,
        Duration.ofMillis(200),
        ByteSize.ofMib(32),
        5,
        new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10)),
        Duration.ofMinutes(5));
  }
}
