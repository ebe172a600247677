package io.tidemill.amqp.consumer;

import io.tidemill.amqp.Topology;
import io.tidemill.config.ByteSize;
import io.tidemill.work.AttemptCounts;
import io.tidemill.work.Backoff;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// What a [MessageConsumer] reads, how much of it at once, and what it does with what fails.
///
/// @param dead the queue for what can never be handled
/// @param bound what brings messages into the queue, made whenever we connect; null when that is up
///   to others
/// @param tries of a delivery that fails for a reason of its own
/// @param backoff between tries
public record MessagePlan(
    String queue,
    String dead,
    Topology.@Nullable Bound bound,
    Batch batch,
    int tries,
    Backoff backoff,
    Retries retries) {
  public MessagePlan {
    if (tries < 1) throw new IllegalArgumentException("tries is " + tries);
    if (retries instanceof Requeued && batch.size() > 1) {
      throw new IllegalArgumentException(
          "batches are held until it is known what breaks them: batch is " + batch.size());
    }
  }

  /// For a queue that others make.
  public MessagePlan(
      String queue, String dead, Batch batch, int tries, Backoff backoff, Retries retries) {
    this(queue, dead, null, batch, tries, backoff, retries);
  }

  /// What is handled together.
  ///
  /// @param size deliveries at most
  /// @param linger how long the first waits for others at most
  /// @param bytes deliveries may hold in memory about that much (F41)
  public record Batch(int size, Duration linger, ByteSize bytes) {
    private static final Duration LINGER = Duration.ofMillis(200);
    private static final ByteSize BYTES = ByteSize.ofMib(32);

    public Batch {
      if (size < 1) throw new IllegalArgumentException("batch is " + size);
    }

    /// Within 200 ms and 32 MiB.
    public static Batch of(int size) {
      return new Batch(size, LINGER, BYTES);
    }
  }

  /// Where a delivery that failed waits for its next try, and where its attempts are counted.
  public sealed interface Retries {}

  /// It stays with us, and is tried again together with others; attempts are counted in memory.
  /// Batches are handled one after the other and acknowledged in few words (C4.6).
  ///
  /// @param atMost how long a delivery may stay unsettled before it goes back to the queue: brokers
  ///   lose patience after half an hour (F42)
  public record Held(Duration atMost) implements Retries {}

  /// It goes back to the queue after its pause, for whoever gets it then; attempts are counted
  /// outside of the broker (C5.2).
  ///
  /// @param parallel messages that are handled at once
  /// @param waiting messages that may wait for another try without holding up others; the broker
  ///   counts the time that we have a message from its delivery on, so not many are taken ahead
  ///   (F42)
  public record Requeued(int parallel, int waiting, AttemptCounts attempts) implements Retries {
    public Requeued {
      if (parallel < 1) throw new IllegalArgumentException("parallel is " + parallel);
      if (waiting < 1) throw new IllegalArgumentException("waiting is " + waiting);
    }
  }

  /// Batches of a hundred from a queue that others make.
  public static MessagePlan batches(String queue, String dead) {
    return new MessagePlan(
        queue,
        dead,
        Batch.of(100),
        5,
        new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10)),
        new Held(Duration.ofMinutes(5)));
  }

  int parallel() {
    return switch (retries) {
      case Held _ -> 1;
      case Requeued requeued -> requeued.parallel();
    };
  }

  /// Deliveries that may be under way or unsettled at once: as many as two batches, but no more
  /// than fit the byte budget by what we have seen (F41).
  ///
  /// @param averageSize of the deliveries before; 0 when there were none
  int prefetch(long averageSize) {
    return switch (retries) {
      case Held _ -> {
        var most = 2L * batch.size();
        var fit = averageSize == 0 ? most : batch.bytes().bytes() / averageSize;
        yield (int) Math.clamp(fit, 1, most);
      }
      case Requeued requeued -> 2 * requeued.parallel() + requeued.waiting();
    };
  }
}
