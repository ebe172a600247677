package io.tidemill.kafka.consumer;

import io.tidemill.kafka.StartAt;
import io.tidemill.work.Backoff;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Settings of a [KeyedConsumer].
///
/// @param predecessor the group that read the topics before this one, which begins where that one
///   stands when it starts for the first time; null when there was none
public record KeyedSettings(
    String group,
    @Nullable String predecessor,
    List<String> topics,
    StartAt startAt,
    Limits limits,
    Retries retries,
    Membership membership) {

  /// How many records one process may hold at once.
  ///
  /// @param inFlight records being handled
  /// @param held records read and not finished, those in flight among them
  /// @param heldBytes the same in bytes
  /// @param stopTimeout how long records in flight may take when the consumer stops or a partition
  ///   is revoked
  public record Limits(int inFlight, int held, long heldBytes, Duration stopTimeout) {
    public Limits {
      if (inFlight < 1 || held < inFlight || heldBytes < 1) {
        throw new IllegalArgumentException("limits are %d, %d".formatted(inFlight, held));
      }
    }

    // Small compared to the limit, as a poll may exceed it by this.
    int perPoll() {
      return Math.clamp(held / 8, 1, 500);
    }

    /// The share of one partition, after which it is paused.
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

  /// Timing of the membership in the group.
  ///
  /// @param commitInterval the longest time between finishing a record and committing it
  public record Membership(
      Duration sessionTimeout,
      Duration heartbeat,
      Duration maxPollInterval,
      Duration commitInterval) {}

  private static final Limits LIMITS =
      new Limits(64, 4_096, 32L * 1024 * 1024, Duration.ofSeconds(5));
  private static final Retries RETRIES =
      new Retries(5, new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30)));

  /// As C2.5 demands: session 30 s, heartbeat 3 s, 5 min between polls, commits every 5 s.
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
    this(group, null, topics, StartAt.EARLIEST, LIMITS, RETRIES, MEMBERSHIP);
  }

  public KeyedSettings withStartAt(StartAt other) {
    return new KeyedSettings(group, predecessor, topics, other, limits, retries, membership);
  }

  public KeyedSettings withPredecessor(String other) {
    return new KeyedSettings(group, other, topics, startAt, limits, retries, membership);
  }

  /// Adapts the number of held records, too.
  public KeyedSettings withInFlight(int max) {
    var held = Math.max(limits.held(), 8 * max);
    return withLimits(new Limits(max, held, limits.heldBytes(), limits.stopTimeout()));
  }

  public KeyedSettings withLimits(Limits other) {
    return new KeyedSettings(group, predecessor, topics, startAt, other, retries, membership);
  }

  public KeyedSettings withRetries(Retries other) {
    return new KeyedSettings(group, predecessor, topics, startAt, limits, other, membership);
  }

  public KeyedSettings withMembership(Membership other) {
    return new KeyedSettings(group, predecessor, topics, startAt, limits, retries, other);
  }
}
