package io.tidemill.kafka.inspect;

import io.tidemill.kafka.inspect.TopicMeters.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.ReplicaInfo;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/// Asks a cluster how topics and groups stand.
///
/// @param limit how long each question may take
record TopicSurvey(List<String> topics, List<String> groups, Duration limit) {
  TopicSurvey {
    topics = List.copyOf(topics);
    groups = List.copyOf(groups);
  }

  /// What was found.
  ///
  /// @param lags of each group, what it has not committed
  record Found(Map<String, Topic> topics, Map<String, Map<TopicPartition, Long>> lags) {
    static final Found NOTHING = new Found(Map.of(), Map.of());
  }

  Found look(Admin asked) throws ExecutionException, InterruptedException, TimeoutException {
    var known = descriptions(asked);
    var ids = known.stream().flatMap(topic -> ids(topic).stream()).toList();
    var begins = offsets(asked, ids, OffsetSpec.earliest());
    var ends = offsets(asked, ids, OffsetSpec.latest());
    var replicas = replicas(asked);
    var states = new TreeMap<String, Topic>();
    for (var topic : known) states.put(topic.name(), state(topic, begins, ends, replicas));
    return new Found(states, lags(asked, ends));
  }

  List<TopicDescription> descriptions(Admin asked)
      throws ExecutionException, InterruptedException, TimeoutException {
    var found = new ArrayList<TopicDescription>();
    for (var answer : asked.describeTopics(topics).topicNameValues().values()) {
      try {
        found.add(get(answer));
      } catch (ExecutionException failed) {
        // Dead letters have no topic before the first of a topic's readers is there.
        if (!(failed.getCause() instanceof UnknownTopicOrPartitionException)) throw failed;
      }
    }
    return found;
  }

  static List<TopicPartition> ids(TopicDescription topic) {
    return topic.partitions().stream()
        .map(info -> new TopicPartition(topic.name(), info.partition()))
        .toList();
  }

  Map<TopicPartition, Long> offsets(Admin asked, List<TopicPartition> ids, OffsetSpec spec)
      throws ExecutionException, InterruptedException, TimeoutException {
    var wanted = ids.stream().collect(Collectors.toMap(id -> id, _ -> spec));
    Map<TopicPartition, ListOffsetsResultInfo> found = get(asked.listOffsets(wanted).all());
    var offsets = new HashMap<TopicPartition, Long>();
    found.forEach((id, info) -> offsets.put(id, info.offset()));
    return offsets;
  }

  Map<TopicPartition, List<ReplicaInfo>> replicas(Admin asked)
      throws ExecutionException, InterruptedException, TimeoutException {
    var brokers = get(asked.describeCluster().nodes()).stream().map(Node::id).toList();
    var replicas = new HashMap<TopicPartition, List<ReplicaInfo>>();
    for (var folders : get(asked.describeLogDirs(brokers).allDescriptions()).values()) {
      for (var folder : folders.values()) {
        folder
            .replicaInfos()
            .forEach((id, info) -> replicas.computeIfAbsent(id, _ -> new ArrayList<>()).add(info));
      }
    }
    return replicas;
  }

  private static Topic state(
      TopicDescription topic,
      Map<TopicPartition, Long> begins,
      Map<TopicPartition, Long> ends,
      Map<TopicPartition, List<ReplicaInfo>> replicas) {
    var ids = ids(topic);
    var messages =
        ids.stream().mapToLong(id -> ends.getOrDefault(id, 0L) - begins.getOrDefault(id, 0L)).sum();
    var copies =
        ids.stream().map(id -> replicas.getOrDefault(id, List.of())).flatMap(List::stream).toList();
    return new Topic(
        ids.size(),
        messages,
        copies.stream().mapToLong(ReplicaInfo::size).sum(),
        (int)
            topic.partitions().stream()
                .filter(info -> info.isr().size() < info.replicas().size())
                .count(),
        behind(copies));
  }

  private static long behind(Collection<ReplicaInfo> copies) {
    return copies.stream()
        .filter(copy -> !copy.isFuture())
        .mapToLong(ReplicaInfo::offsetLag)
        .max()
        .orElse(0);
  }

  Map<String, Map<TopicPartition, Long>> lags(Admin asked, Map<TopicPartition, Long> ends)
      throws ExecutionException, InterruptedException, TimeoutException {
    var answers = new HashMap<String, KafkaFuture<Map<TopicPartition, OffsetAndMetadata>>>();
    for (var group : groups) {
      answers.put(group, asked.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
    }
    var found = new TreeMap<String, Map<TopicPartition, Long>>();
    for (var answer : answers.entrySet()) {
      try {
        var lag = lag(get(answer.getValue()), ends);
        if (!lag.isEmpty()) found.put(answer.getKey(), lag);
      } catch (ExecutionException failed) {
        if (!(failed.getCause() instanceof GroupIdNotFoundException)) throw failed;
      }
    }
    return found;
  }

  private static Map<TopicPartition, Long> lag(
      Map<TopicPartition, OffsetAndMetadata> committed, Map<TopicPartition, Long> ends) {
    var lag = new HashMap<TopicPartition, Long>();
    committed.forEach((id, offset) -> {
      var end = ends.get(id);
      if (offset != null && end != null) lag.put(id, Math.max(0, end - offset.offset()));
    });
    return lag;
  }

  private <T> T get(KafkaFuture<T> answer)
      throws ExecutionException, InterruptedException, TimeoutException {
    return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
  }
}
