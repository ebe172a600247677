package io.tidemill.kafka.inspect;

import io.tidemill.config.Renaming;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.KafkaException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.ReplicaInfo;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/// Asks a cluster about topics and groups, each question within a time limit.
///
/// Questions and answers have the contracts' names.
///
/// Every method throws [KafkaException] when the cluster does not answer.
final class ClusterQueries implements AutoCloseable {
  private final Duration limit;
  private final Renaming groupNames;
  private final Renaming topicNames;
  private final LazyClient<Admin> admin;

  /// @param limit for each question
  ClusterQueries(KafkaConfig config, Duration limit, Supplier<Admin> opening) {
    this.limit = limit;
    groupNames = config.groupNames();
    topicNames = config.topicNames();
    admin = new LazyClient<>(opening, open -> open.close(Duration.ofSeconds(1)));
  }

  Collection<Node> brokers() {
    return ask(client -> client.describeCluster().nodes());
  }

  /// The topics that exist: those of dead letters are created with the first consumer.
  List<TopicDescription> topics(List<String> names) {
    var found = new ArrayList<TopicDescription>();
    for (var answer : client().describeTopics(topicNames.names(names)).topicNameValues().values()) {
      find(answer, UnknownTopicOrPartitionException.class)
          .ifPresent(topic -> found.add(original(topic)));
    }
    return found;
  }

  private TopicDescription original(TopicDescription topic) {
    var name = topicNames.original(topic.name());
    return new TopicDescription(name, topic.isInternal(), topic.partitions());
  }

  /// A partition as the broker calls it.
  TopicPartition onServer(TopicPartition id) {
    return new TopicPartition(topicNames.name(id.topic()), id.partition());
  }

  private TopicPartition original(TopicPartition id) {
    return new TopicPartition(topicNames.original(id.topic()), id.partition());
  }

  static List<TopicPartition> partitions(Collection<TopicDescription> topics) {
    return topics.stream()
        .flatMap(topic ->
            topic.partitions().stream()
                .map(info -> new TopicPartition(topic.name(), info.partition())))
        .toList();
  }

  Map<TopicPartition, Long> offsets(Collection<TopicPartition> ids, OffsetSpec spec) {
    if (ids.isEmpty()) return Map.of();
    var wanted = ids.stream().collect(Collectors.toMap(this::onServer, _ -> spec));
    var offsets = new HashMap<TopicPartition, Long>();
    ask(client -> client.listOffsets(wanted).all())
        .forEach((id, info) -> offsets.put(original(id), info.offset()));
    return offsets;
  }

  Map<TopicPartition, List<ReplicaInfo>> replicas(Collection<Node> brokers) {
    var ids = brokers.stream().map(Node::id).toList();
    var replicas = new HashMap<TopicPartition, List<ReplicaInfo>>();
    for (var folders : ask(client -> client.describeLogDirs(ids).allDescriptions()).values()) {
      for (var folder : folders.values()) {
        folder
            .replicaInfos()
            .forEach((id, info) -> {
              if (!topicNames.isOurs(id.topic())) return;
              replicas.computeIfAbsent(original(id), _ -> new ArrayList<>()).add(info);
            });
      }
    }
    return replicas;
  }

  /// The committed offsets of each group; none of a group that does not exist.
  Map<String, Map<TopicPartition, Long>> committed(List<String> groups) {
    var answers = new TreeMap<String, KafkaFuture<Map<TopicPartition, OffsetAndMetadata>>>();
    for (var group : groups) {
      answers.put(
          group,
          client()
              .listConsumerGroupOffsets(groupNames.name(group))
              .partitionsToOffsetAndMetadata());
    }
    var found = new TreeMap<String, Map<TopicPartition, Long>>();
    answers.forEach((group, answer) -> {
      var offsets = new HashMap<TopicPartition, Long>();
      find(answer, GroupIdNotFoundException.class)
          .orElse(Map.of())
          .forEach((id, offset) -> {
            if (offset == null || !topicNames.isOurs(id.topic())) return;
            offsets.put(original(id), offset.offset());
          });
      found.put(group, offsets);
    });
    return found;
  }

  /// The topics of each member of each group that exists; dead members count until their session
  /// times out.
  Map<String, List<Set<String>>> members(List<String> groups) {
    var found = new HashMap<String, List<Set<String>>>();
    client()
        .describeConsumerGroups(groupNames.names(groups))
        .describedGroups()
        .forEach((group, answer) ->
            find(answer, GroupIdNotFoundException.class)
                .ifPresent(description ->
                    found.put(
                        groupNames.original(group),
                        description.members().stream().map(this::topics).toList())));
    return found;
  }

  private Set<String> topics(MemberDescription member) {
    return member.assignment().topicPartitions().stream()
        .map(TopicPartition::topic)
        .filter(topicNames::isOurs)
        .map(topicNames::original)
        .collect(Collectors.toSet());
  }

  @FunctionalInterface
  private interface Question<T> {
    KafkaFuture<T> ask(Admin client);
  }

  private <T> T ask(Question<T> question) {
    return get(question.ask(client()));
  }

  private Admin client() {
    try {
      return admin.get();
    } catch (org.apache.kafka.common.KafkaException failed) {
      throw new KafkaException("kafka: " + failed.getMessage(), failed);
    }
  }

  private <T> Optional<T> find(KafkaFuture<T> answer, Class<? extends ApiException> missing) {
    try {
      return Optional.of(get(answer));
    } catch (KafkaException failed) {
      if (missing.isInstance(failed.getCause())) return Optional.empty();
      throw failed;
    }
  }

  private <T> T get(KafkaFuture<T> answer) {
    try {
      return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException failed) {
      var cause = failed.getCause() == null ? failed : failed.getCause();
      throw new KafkaException("kafka: " + cause.getMessage(), cause);
    } catch (TimeoutException late) {
      throw new KafkaException("kafka does not answer", late);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new KafkaException("kafka: interrupted", stopped);
    }
  }

  /// Closes the connections; the next question opens them again.
  @Override
  public void close() {
    admin.close();
  }
}
