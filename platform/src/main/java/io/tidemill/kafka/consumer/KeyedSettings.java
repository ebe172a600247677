package io.tidemill.kafka.consumer;

import io.tidemill.kafka.StartAt;
import io.tidemill.work.Backoff;
import java.time.Duration;
import java.util.List;

/// How a [KeyedConsumer] reads, works and commits.
public record KeyedSettings(
    String group,
    List<String> topics,
    StartAt startAt,
    Limits limits,
    Retries retries,
    Membership membership) {

  /// What one process may hold at once.
  ///
  /// @param inFlight records being handled
  /// @param held records read and not finished, those in flight among them
  /// @param heldBytes the same in bytes
  /// @param stopTimeout how long records in flight may take when we stop or lose their partition
  public record Limits(int inFlight, int held, long heldBytes, Duration stopTimeout) {
    public Limits {
      if (inFlight < 1 || held < inFlight || heldBytes < 1) {
        throw new IllegalArgumentException("limits are %d, %d".formatted(inFlight, held));
      }
    }

    // Small beside the whole, as it may come on top.
    int perPoll() {
      return Math.clamp(held / 8, 1, 500);
    }

    /// What one of so many partitions may hold before it is read no further.
    int heldOf(int partitions) {
      return Math.max(1, held / partitions - perPoll());
    }

    long heldBytesOf(int partitions) {
      return Math.max(1, heldBytes / partitions);
    }
  }

  /// @param maxAttempts counted attempts before a record is dead
  /// @param backoff pauses after a handler has thrown
  public record Retries(int maxAttempts, Backoff backoff) {
    public Retries {
      if (maxAttempts < 1) throw new IllegalArgumentException("maxAttempts is " + maxAttempts);
    }
  }

  /// Our place in the group; the defaults are C2.5's.
  ///
  /// @param commitInterval how much later than finished a record is committed at most
  public record Membership(
      Duration sessionTimeout,
      Duration heartbeat,
      Duration maxPollInterval,
      Duration commitInterval) {}

  private static final Limits LIMITS =
      new Limits(64, 4_096, 32L * 1024 * 1024, Duration.ofSeconds(5));
  private static final Retries RETRIES =
      new Retries(5, new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30)));

  /// C2.5's: session 30 s, heartbeat 3 s, five minutes between polls, commits at most 5 s late.
  public static final Membership MEMBERSHIP =
      new Membership(
          Duration.ofSeconds(30),
          Duration.ofSeconds(3),
          Duration.ofMinutes(5),
          Duration.ofSeconds(5));

  public KeyedSettings {
    topics = List.copyOf(topics);
  }

  /// The defaults, for a group that starts with the oldest record.
  public KeyedSettings(String group, List<String> topics) {
    this(group, topics, StartAt.EARLIEST, LIMITS, RETRIES, MEMBERSHIP);
  }

  public KeyedSettings withStartAt(StartAt other) {
    return new KeyedSettings(group, topics, other, limits, retries, membership);
  }

  /// So many records in flight, and room for so many more that wait.
  public KeyedSettings withInFlight(int most) {
    var held = Math.max(limits.held(), 8 * most);
    return withLimits(new Limits(most, held, limits.heldBytes(), limits.stopTimeout()));
  }

  public KeyedSettings withLimits(Limits other) {
    return new KeyedSettings(group, topics, startAt, other, retries, membership);
  }

  public KeyedSettings withRetries(Retries other) {
    return new KeyedSettings(group, topics, startAt, limits, other, membership);
  }

  public KeyedSettings withMembership(Membership other) {
    return new KeyedSettings(group, topics, startAt, limits, retries, other);
  }
}
