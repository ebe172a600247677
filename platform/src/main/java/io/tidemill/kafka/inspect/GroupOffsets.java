package io.tidemill.kafka.inspect;

import io.tidemill.kafka.KafkaClients;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.inspect.GroupProgress.Reading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/// Asks a cluster for the ends of topics, and for what groups have committed there.
///
/// Used by one thread.
final class GroupOffsets implements AutoCloseable {
  private static final Duration PARTITIONS_LAST = Duration.ofMinutes(1);

  private final KafkaConfig config;
  private final List<Reading> readings;
  private final List<String> groups;
  private final Duration limit;
  private List<TopicPartition> partitions = List.of();
  private long partitionsAt;
  private @Nullable Admin admin;

  /// @param limit how long each question may take
  GroupOffsets(KafkaConfig config, List<Reading> readings, Duration limit) {
    this.config = config;
    this.readings = readings;
    this.limit = limit;
    groups = readings.stream().map(Reading::group).distinct().toList();
  }

  /// Where each partition ends; a topic that is not there has none.
  Map<TopicPartition, Long> ends()
      throws ExecutionException, InterruptedException, TimeoutException {
    return offsets(partitions(), OffsetSpec.latest());
  }

  private Map<TopicPartition, Long> offsets(List<TopicPartition> ids, OffsetSpec spec)
      throws ExecutionException, InterruptedException, TimeoutException {
    if (ids.isEmpty()) return Map.of();
    var wanted = new HashMap<TopicPartition, OffsetSpec>();
    for (var id : ids) wanted.put(id, spec);
    Map<TopicPartition, ListOffsetsResultInfo> found = get(admin().listOffsets(wanted).all());
    var offsets = new HashMap<TopicPartition, Long>();
    found.forEach((id, info) -> offsets.put(id, info.offset()));
    return offsets;
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
        ids.addAll(TopicSurvey.ids(get(answer)));
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

  /// What each group has committed. One that has committed nothing begins with the first record
  /// that there is.
  Map<String, Map<TopicPartition, Long>> committed(Map<TopicPartition, Long> ends)
      throws ExecutionException, InterruptedException, TimeoutException {
    var answers = new HashMap<String, KafkaFuture<Map<TopicPartition, OffsetAndMetadata>>>();
    for (var group : groups) {
      answers.put(group, admin().listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
    }
    var found = new HashMap<String, Map<TopicPartition, Long>>();
    for (var answer : answers.entrySet()) found.put(answer.getKey(), offsets(answer.getValue()));
    var begins = begins(found, ends);
    for (var reading : readings) {
      var own = found.computeIfAbsent(reading.group(), _ -> new HashMap<>());
      begins.forEach((id, begin) -> {
        if (id.topic().equals(reading.topic())) own.putIfAbsent(id, begin);
      });
    }
    return found;
  }

  private Map<TopicPartition, Long> offsets(
      KafkaFuture<Map<TopicPartition, OffsetAndMetadata>> answer)
      throws ExecutionException, InterruptedException, TimeoutException {
    var offsets = new HashMap<TopicPartition, Long>();
    try {
      get(answer)
          .forEach((id, at) -> {
            if (at != null) offsets.put(id, at.offset());
          });
    } catch (ExecutionException failed) {
      if (!(failed.getCause() instanceof GroupIdNotFoundException)) throw failed;
    }
    return offsets;
  }

  private Map<TopicPartition, Long> begins(
      Map<String, Map<TopicPartition, Long>> committed, Map<TopicPartition, Long> ends)
      throws ExecutionException, InterruptedException, TimeoutException {
    var wanted =
        ends.keySet().stream()
            .filter(id ->
                readings.stream()
                    .filter(reading -> reading.topic().equals(id.topic()))
                    .anyMatch(reading ->
                        !committed.getOrDefault(reading.group(), Map.of()).containsKey(id)))
            .toList();
    return offsets(wanted, OffsetSpec.earliest());
  }

  /// How many members each group has; those that died count until their session is over.
  Map<String, Integer> members() throws ExecutionException, InterruptedException, TimeoutException {
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

  private <T> T get(KafkaFuture<T> answer)
      throws ExecutionException, InterruptedException, TimeoutException {
    return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  private Admin admin() {
    var open = admin;
    if (open == null) {
      open = KafkaClients.admin(config, limit, "tidemill-progress");
      admin = open;
    }
    return open;
  }

  /// Lets go of its connections; the next question opens them again.
  @Override
  public void close() {
    if (admin != null) admin.close(Duration.ofSeconds(1));
    admin = null;
  }
}
