package io.tidemill.kafka.inspect;

import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.KafkaException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// How far groups are with their topics, asked for when somebody wants to know: ends, commits,
/// members, and how long the first record waits that is not committed.
public final class GroupProgress implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(3);

  /// Which group reads which topic.
  public record Reading(String topic, String group) {}

  /// How a group stands with a topic.
  ///
  /// @param end records that were ever written, as far as offsets tell
  /// @param committed records that the group has finished, by the same measure
  /// @param members of the group; those that died count until their session is over
  /// @param oldest time of the first record that is not committed, epoch milliseconds
  public record Progress(long end, long committed, long lag, int members, @Nullable Long oldest) {}

  private final List<Reading> readings;
  private final GroupOffsets offsets;
  private final FirstUnread unread;

  public GroupProgress(KafkaConfig config, List<Reading> readings) {
    this.readings = List.copyOf(readings);
    offsets = new GroupOffsets(config, this.readings, LIMIT);
    unread = new FirstUnread(config, LIMIT);
  }

  /// How each stands; a topic or group that is not there yet is left out.
  ///
  /// @throws KafkaException when the brokers do not answer
  public synchronized Map<Reading, Progress> look() throws InterruptedException {
    try {
      var ends = offsets.ends();
      var committed = offsets.committed(ends);
      var members = offsets.members();
      var found = new HashMap<Reading, Progress>();
      for (var reading : readings) {
        var own = of(reading.topic(), ends);
        if (own.isEmpty()) continue;
        var done = of(reading.topic(), committed.getOrDefault(reading.group(), Map.of()));
        found.put(reading, progress(own, done, members.getOrDefault(reading.group(), 0)));
      }
      return found;
    } catch (ExecutionException | TimeoutException failed) {
      var cause = failed.getCause() == null ? failed : failed.getCause();
      throw new KafkaException("Kafka does not answer: " + cause.getMessage(), failed);
    }
  }

  private static Map<TopicPartition, Long> of(String topic, Map<TopicPartition, Long> offsets) {
    var own = new HashMap<>(offsets);
    own.keySet().removeIf(id -> !id.topic().equals(topic));
    return own;
  }

  private Progress progress(
      Map<TopicPartition, Long> ends, Map<TopicPartition, Long> committed, int members) {
    var behind = new HashMap<TopicPartition, Long>();
    var lag = 0L;
    for (var each : committed.entrySet()) {
      var missing = ends.getOrDefault(each.getKey(), 0L) - each.getValue();
      if (missing <= 0) continue;
      behind.put(each.getKey(), each.getValue());
      lag += missing;
    }
    return new Progress(sum(ends), sum(committed), lag, members, unread.oldest(behind));
  }

  private static long sum(Map<TopicPartition, Long> offsets) {
    return offsets.values().stream().mapToLong(offset -> offset).sum();
  }

  /// Lets go of its connections; the next look opens them again.
  public synchronized void rest() {
    unread.close();
    offsets.close();
  }

  @Override
  public void close() {
    rest();
  }
}
