package io.tidemill.broker.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/// How far groups are with their topics, asked for when somebody wants to know: ends, commits,
/// members, and how long the first record waits that is not committed.
public final class GroupProgress implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(3);
  private static final Duration READ_LIMIT = Duration.ofMillis(600);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final int BYTES = 64 * 1024;
  private static final Duration PARTITIONS_LAST = Duration.ofMinutes(1);

  /// Which group reads which topic.
  public record Reading(String topic, String group) {}

  /// How a group stands with a topic.
  ///
  /// @param end records that were ever written, as far as offsets tell
  /// @param committed records that the group has finished, by the same measure
  /// @param members of the group; those that died count until their session is over
  /// @param oldest time of the first record that is not committed, epoch milliseconds
  public record Progress(long end, long committed, long lag, int members, @Nullable Long oldest) {}

  private record Offsets(Map<TopicPartition, Long> ends, Map<TopicPartition, Long> committed) {
    Map<TopicPartition, Long> behind(String topic) {
      var behind = new HashMap<TopicPartition, Long>();
      committed.forEach((id, offset) -> {
        var end = ends.get(id);
        if (id.topic().equals(topic) && end != null && end > offset) behind.put(id, offset);
      });
      return behind;
    }

    long sum(Map<TopicPartition, Long> offsets, String topic) {
      return offsets.entrySet().stream()
          .filter(each -> each.getKey().topic().equals(topic))
          .mapToLong(Map.Entry::getValue)
          .sum();
    }

    long lag(String topic) {
      return committed.entrySet().stream()
          .filter(each -> each.getKey().topic().equals(topic))
          .mapToLong(each -> Math.max(0, ends.getOrDefault(each.getKey(), 0L) - each.getValue()))
          .sum();
    }
  }

  private final KafkaConfig config;
  private final List<Reading> readings;
  private List<TopicPartition> partitions = List.of();
  private long partitionsAt;
  private @Nullable Admin admin;
  private @Nullable Consumer<byte[], byte[]> reader;

  public GroupProgress(KafkaConfig config, List<Reading> readings) {
    this.config = config;
    this.readings = List.copyOf(readings);
  }

  /// How each stands; a topic or group that is not there yet is left out.
  ///
  /// @throws KafkaException when the brokers do not answer
  public synchronized Map<Reading, Progress> look() throws InterruptedException {
    try {
      var ends = ends();
      var groups = readings.stream().map(Reading::group).distinct().toList();
      var committed = committed(groups, ends);
      var members = members(groups);
      var found = new HashMap<Reading, Progress>();
      var offsets = new HashMap<String, Offsets>();
      for (var group : groups) {
        offsets.put(group, new Offsets(ends, committed.getOrDefault(group, Map.of())));
      }
      var oldest = oldest(offsets);
      for (var each : readings) {
        var it = offsets.get(each.group());
        if (it == null || ends.keySet().stream().noneMatch(id -> id.topic().equals(each.topic()))) {
          continue;
        }
        found.put(
            each,
            new Progress(
                it.sum(ends, each.topic()),
                it.sum(it.committed(), each.topic()),
                it.lag(each.topic()),
                members.getOrDefault(each.group(), 0),
                oldest.get(each)));
      }
      return found;
    } catch (ExecutionException | TimeoutException failed) {
      var cause = failed.getCause() == null ? failed : failed.getCause();
      throw new KafkaException("Kafka does not answer: " + cause.getMessage(), failed);
    }
  }

  private Map<TopicPartition, Long> ends()
      throws ExecutionException, InterruptedException, TimeoutException {
    var wanted = new HashMap<TopicPartition, OffsetSpec>();
    for (var id : partitions()) wanted.put(id, OffsetSpec.latest());
    var ends = new HashMap<TopicPartition, Long>();
    Map<TopicPartition, ListOffsetsResultInfo> found = get(admin().listOffsets(wanted).all());
    found.forEach((id, info) -> ends.put(id, info.offset()));
    return ends;
  }

  // They hardly ever change.
  private List<TopicPartition> partitions()
      throws ExecutionException, InterruptedException, TimeoutException {
    var now = System.nanoTime();
    if (!partitions.isEmpty() && now - partitionsAt < PARTITIONS_LAST.toNanos()) return partitions;
    var topics = readings.stream().map(Reading::topic).distinct().toList();
    var ids = new ArrayList<TopicPartition>();
    var all = true;
    for (var answer : admin().describeTopics(topics).topicNameValues().values()) {
      try {
        var topic = get(answer);
        for (var partition : topic.partitions()) {
          ids.add(new TopicPartition(topic.name(), partition.partition()));
        }
      } catch (ExecutionException failed) {
        if (!(failed.getCause() instanceof UnknownTopicOrPartitionException)) throw failed;
        all = false;
      }
    }
    if (all) {
      partitions = List.copyOf(ids);
      partitionsAt = now;
    }
    return ids;
  }

  // A group that has committed nothing begins with the first record that there is.
  private Map<String, Map<TopicPartition, Long>> committed(
      List<String> groups, Map<TopicPartition, Long> ends)
      throws ExecutionException, InterruptedException, TimeoutException {
    var answers = new TreeMap<String, KafkaFuture<Map<TopicPartition, OffsetAndMetadata>>>();
    for (var group : groups) {
      answers.put(group, admin().listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
    }
    var found = new HashMap<String, Map<TopicPartition, Long>>();
    for (var answer : answers.entrySet()) {
      var offsets = new HashMap<TopicPartition, Long>();
      try {
        get(answer.getValue())
            .forEach((id, at) -> {
              if (at != null) offsets.put(id, at.offset());
            });
      } catch (ExecutionException failed) {
        if (!(failed.getCause() instanceof GroupIdNotFoundException)) throw failed;
      }
      found.put(answer.getKey(), offsets);
    }
    for (var each : begins(found, ends).entrySet()) {
      for (var reading : readings) {
        if (!reading.topic().equals(each.getKey().topic())) continue;
        found
            .computeIfAbsent(reading.group(), _ -> new HashMap<>())
            .putIfAbsent(each.getKey(), each.getValue());
      }
    }
    return found;
  }

  private Map<TopicPartition, Long> begins(
      Map<String, Map<TopicPartition, Long>> committed, Map<TopicPartition, Long> ends)
      throws ExecutionException, InterruptedException, TimeoutException {
    var wanted = new HashMap<TopicPartition, OffsetSpec>();
    for (var reading : readings) {
      var known = committed.getOrDefault(reading.group(), Map.of());
      for (var id : ends.keySet()) {
        if (id.topic().equals(reading.topic()) && !known.containsKey(id)) {
          wanted.put(id, OffsetSpec.earliest());
        }
      }
    }
    if (wanted.isEmpty()) return Map.of();
    var begins = new HashMap<TopicPartition, Long>();
    Map<TopicPartition, ListOffsetsResultInfo> found = get(admin().listOffsets(wanted).all());
    found.forEach((id, info) -> begins.put(id, info.offset()));
    return begins;
  }

  private Map<String, Integer> members(List<String> groups)
      throws ExecutionException, InterruptedException, TimeoutException {
    var found = new HashMap<String, Integer>();
    for (var answer : admin().describeConsumerGroups(groups).describedGroups().entrySet()) {
      try {
        found.put(answer.getKey(), get(answer.getValue()).members().size());
      } catch (ExecutionException failed) {
        if (!(failed.getCause() instanceof GroupIdNotFoundException)) throw failed;
      }
    }
    return found;
  }

  // Only of what is behind, and not for long: it is a look, not a reader.
  private Map<Reading, Long> oldest(Map<String, Offsets> offsets) {
    var oldest = new HashMap<Reading, Long>();
    for (var each : readings) {
      var it = offsets.get(each.group());
      var behind = it == null ? Map.<TopicPartition, Long>of() : it.behind(each.topic());
      if (behind.isEmpty()) continue;
      try {
        var first = first(behind);
        if (first != null) oldest.put(each, first);
      } catch (org.apache.kafka.common.KafkaException unread) {
        // Then it is not known; the rest is.
      }
    }
    return oldest;
  }

  private @Nullable Long first(Map<TopicPartition, Long> behind) {
    var reading = reader();
    var left = new ArrayList<>(behind.keySet());
    Long first = null;
    try {
      reading.assign(behind.keySet());
      behind.forEach(reading::seek);
      var giveUpAt = System.nanoTime() + READ_LIMIT.toNanos();
      while (!left.isEmpty() && System.nanoTime() - giveUpAt < 0) {
        for (var record : reading.poll(POLL)) {
          var id = new TopicPartition(record.topic(), record.partition());
          if (!left.remove(id)) continue;
          reading.pause(List.of(id));
          first = first == null ? record.timestamp() : Math.min(first, record.timestamp());
        }
      }
      return first;
    } finally {
      reading.unsubscribe();
    }
  }

  private <T> T get(KafkaFuture<T> answer)
      throws ExecutionException, InterruptedException, TimeoutException {
    return answer.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
  }

  private Admin admin() {
    var open = admin;
    if (open == null) {
      open =
          Admin.create(
              Map.of(
                  AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                  config.bootstrap(),
                  AdminClientConfig.CLIENT_ID_CONFIG,
                  "tidemill-progress",
                  AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                  (int) LIMIT.toMillis(),
                  AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                  (int) LIMIT.toMillis(),
                  AdminClientConfig.METRIC_REPORTER_CLASSES_CONFIG,
                  "",
                  AdminClientConfig.ENABLE_METRICS_PUSH_CONFIG,
                  false));
      admin = open;
    }
    return open;
  }

  private Consumer<byte[], byte[]> reader() {
    var open = reader;
    if (open == null) {
      open =
          new KafkaConsumer<>(
              Map.of(
                  ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                  config.bootstrap(),
                  ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                  false,
                  ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                  "earliest",
                  ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                  "read_committed",
                  ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                  (int) LIMIT.toMillis(),
                  ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                  16,
                  ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
                  BYTES,
                  ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
                  5,
                  ConsumerConfig.METRIC_REPORTER_CLASSES_CONFIG,
                  ""),
              new ByteArrayDeserializer(),
              new ByteArrayDeserializer());
      reader = open;
    }
    return open;
  }

  /// Lets go of its connections; the next look opens them again.
  public synchronized void rest() {
    if (reader != null) reader.close();
    if (admin != null) admin.close(Duration.ofSeconds(1));
    reader = null;
    admin = null;
  }

  @Override
  public void close() {
    rest();
  }
}
