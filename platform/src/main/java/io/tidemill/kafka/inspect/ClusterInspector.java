package io.tidemill.kafka.inspect;

import io.tidemill.kafka.KafkaClients;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.KafkaException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.ReplicaInfo;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.jspecify.annotations.Nullable;

/// Brokers, partitions and readers of some topics, looked up when asked.
public final class ClusterInspector implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(4);

  /// One server of the cluster.
  public record Broker(int id, String host) {}

  /// One partition.
  ///
  /// @param begin the first offset that is kept
  /// @param end the offset that the next record gets
  /// @param leader the broker that takes records; -1 when there is none
  /// @param inSync how many brokers have all of it
  public record PartitionState(int partition, long begin, long end, int leader, int inSync) {}

  /// One group that has read of a topic.
  ///
  /// @param lag records that it has not committed
  /// @param members that read the topic now
  public record GroupState(String group, long lag, int members) {}

  /// One topic.
  ///
  /// @param messages records that are kept
  /// @param bytes on the disks of all brokers
  public record TopicState(
      String name,
      List<PartitionState> partitions,
      long messages,
      long bytes,
      List<GroupState> groups) {
    public TopicState {
      partitions = List.copyOf(partitions);
      groups = List.copyOf(groups);
    }
  }

  /// All of it.
  public record Cluster(List<Broker> brokers, List<TopicState> topics) {
    public Cluster {
      brokers = List.copyOf(brokers);
      topics = List.copyOf(topics);
    }
  }

  private final KafkaConfig config;
  private final TopicSurvey survey;
  private @Nullable Admin admin;
  private boolean closed;

  /// @param topics those to tell of; one that is not there is left out
  /// @param groups those whose progress is told
  public ClusterInspector(KafkaConfig config, List<String> topics, List<String> groups) {
    this.config = config;
    survey = new TopicSurvey(topics, groups, LIMIT);
  }

  /// How things stand.
  ///
  /// @throws KafkaException when the cluster does not answer
  public Cluster look() {
    try {
      return look(admin());
    } catch (ExecutionException failed) {
      var cause = failed.getCause() == null ? failed : failed.getCause();
      throw new KafkaException("kafka: " + cause.getMessage(), cause);
    } catch (TimeoutException late) {
      throw new KafkaException("kafka does not answer", late);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new KafkaException("kafka: interrupted", stopped);
    } catch (org.apache.kafka.common.KafkaException failed) {
      throw new KafkaException("kafka: " + failed.getMessage(), failed);
    }
  }

  private Cluster look(Admin asked)
      throws ExecutionException, InterruptedException, TimeoutException {
    var brokers =
        get(asked.describeCluster().nodes()).stream()
            .map(node -> new Broker(node.id(), node.host() + ":" + node.port()))
            .toList();
    var known = survey.descriptions(asked);
    var ids = known.stream().flatMap(topic -> TopicSurvey.ids(topic).stream()).toList();
    var begins = survey.offsets(asked, ids, OffsetSpec.earliest());
    var ends = survey.offsets(asked, ids, OffsetSpec.latest());
    var replicas = survey.replicas(asked);
    var lags = survey.lags(asked, ends);
    var members = members(asked);
    var topics =
        known.stream()
            .sorted(Comparator.comparingInt(topic -> survey.topics().indexOf(topic.name())))
            .map(topic -> state(topic, begins, ends, replicas, groups(topic.name(), lags, members)))
            .toList();
    return new Cluster(brokers, topics);
  }

  private static TopicState state(
      TopicDescription topic,
      Map<TopicPartition, Long> begins,
      Map<TopicPartition, Long> ends,
      Map<TopicPartition, List<ReplicaInfo>> replicas,
      List<GroupState> groups) {
    var partitions = new ArrayList<PartitionState>();
    var messages = 0L;
    var bytes = 0L;
    for (var info : topic.partitions()) {
      var id = new TopicPartition(topic.name(), info.partition());
      var part = state(info, begins.getOrDefault(id, 0L), ends.getOrDefault(id, 0L));
      partitions.add(part);
      messages += part.end() - part.begin();
      for (var copy : replicas.getOrDefault(id, List.of())) bytes += copy.size();
    }
    return new TopicState(topic.name(), partitions, messages, bytes, groups);
  }

  private static PartitionState state(TopicPartitionInfo info, long begin, long end) {
    var leader = info.leader() == null ? -1 : info.leader().id();
    return new PartitionState(info.partition(), begin, end, leader, info.isr().size());
  }

  private static List<GroupState> groups(
      String topic,
      Map<String, Map<TopicPartition, Long>> lags,
      Map<String, Collection<MemberDescription>> members) {
    var groups = new ArrayList<GroupState>();
    lags.forEach((group, parts) -> {
      var own = parts.entrySet().stream().filter(part -> part.getKey().topic().equals(topic));
      var all = own.mapToLong(Map.Entry::getValue).toArray();
      if (all.length == 0) return;
      var lag = 0L;
      for (var one : all) lag += one;
      groups.add(
          new GroupState(group, lag, readers(topic, members.getOrDefault(group, List.of()))));
    });
    return groups;
  }

  private static int readers(String topic, Collection<MemberDescription> members) {
    return (int)
        members.stream()
            .filter(member ->
                member.assignment().topicPartitions().stream()
                    .anyMatch(id -> id.topic().equals(topic)))
            .count();
  }

  private Map<String, Collection<MemberDescription>> members(Admin asked)
      throws ExecutionException, InterruptedException, TimeoutException {
    var found = new HashMap<String, Collection<MemberDescription>>();
    Map<String, KafkaFuture<ConsumerGroupDescription>> answers =
        asked.describeConsumerGroups(survey.groups()).describedGroups();
    for (var answer : answers.entrySet()) {
      try {
        found.put(answer.getKey(), get(answer.getValue()).members());
      } catch (ExecutionException failed) {
        if (!(failed.getCause() instanceof GroupIdNotFoundException)) throw failed;
      }
    }
    return found;
  }

  private static <T> T get(KafkaFuture<T> answer)
      throws ExecutionException, InterruptedException, TimeoutException {
    return answer.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
  }

  // On first use: a name that does not resolve yet must not keep a process from starting.
  private synchronized Admin admin() {
    if (closed) throw new IllegalStateException("the client is closed");
    var open = admin;
    if (open == null) {
      open = KafkaClients.admin(config, LIMIT, "tidemill-cluster-info");
      admin = open;
    }
    return open;
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (admin != null) admin.close(Duration.ofSeconds(1));
    admin = null;
  }
}
