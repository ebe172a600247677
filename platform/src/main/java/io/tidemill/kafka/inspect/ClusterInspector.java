package io.tidemill.kafka.inspect;

import io.tidemill.kafka.KafkaClients;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.KafkaException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.ReplicaInfo;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;

/// The brokers, partitions and consumer groups of some topics.
public final class ClusterInspector implements AutoCloseable {
  /// One server of the cluster.
  public record Broker(int id, String host) {}

  /// One partition.
  ///
  /// @param begin the first offset that is kept
  /// @param end the offset that the next record gets
  /// @param leader the broker that takes records; -1 when there is none
  /// @param inSync replicas in sync, the leader among them
  /// @param bytes on the disks of all brokers
  /// @param replicationLag records that the slowest replica is behind
  public record PartitionState(
      int partition,
      long begin,
      long end,
      int leader,
      int inSync,
      int replicas,
      long bytes,
      long replicationLag) {}

  /// One topic.
  public record TopicState(String name, List<PartitionState> partitions) {
    public TopicState {
      partitions = List.copyOf(partitions);
    }

    /// Records that are kept.
    public long messages() {
      return sum(partition -> partition.end() - partition.begin());
    }

    /// Bytes on the disks of all brokers.
    public long bytes() {
      return sum(PartitionState::bytes);
    }

    public long underReplicated() {
      return sum(partition -> partition.inSync() < partition.replicas() ? 1 : 0);
    }

    /// Records that the slowest replica is behind.
    public long replicationLag() {
      return partitions.stream().mapToLong(PartitionState::replicationLag).max().orElse(0);
    }

    private long sum(ToLongFunction<PartitionState> value) {
      return partitions.stream().mapToLong(value).sum();
    }
  }

  /// One consumer group of a topic.
  ///
  /// @param lag records that it has not committed
  /// @param members that read the topic now
  public record GroupState(String group, long lag, int members) {}

  /// The state of the cluster.
  ///
  /// @param groups by topic
  public record Cluster(
      List<Broker> brokers, List<TopicState> topics, Map<String, List<GroupState>> groups) {
    public Cluster {
      brokers = List.copyOf(brokers);
      topics = List.copyOf(topics);
      groups = Map.copyOf(groups);
    }
  }

  /// What the metrics show.
  ///
  /// @param lags records that each group has not committed
  record Sample(
      List<Broker> brokers, List<TopicState> topics, Map<String, Map<TopicPartition, Long>> lags) {
    static final Sample NONE = new Sample(List.of(), List.of(), Map.of());
  }

  private final List<String> topics;
  private final List<String> groups;
  private final ClusterQueries queries;

  /// @param topics those to inspect; one that does not exist is left out
  /// @param groups those whose lag is read
  public ClusterInspector(KafkaConfig config, List<String> topics, List<String> groups) {
    this(config, topics, groups, Duration.ofSeconds(4), "tidemill-cluster-info");
  }

  /// @param client name of the client, which no other in the process may have
  ClusterInspector(
      KafkaConfig config, List<String> topics, List<String> groups, Duration limit, String client) {
    this.topics = List.copyOf(topics);
    this.groups = List.copyOf(groups);
    queries = new ClusterQueries(config, limit, () -> KafkaClients.admin(config, limit, client));
  }

  /// @throws KafkaException when the cluster does not answer
  public Cluster cluster() {
    var sample = sample();
    var members = queries.members(groups);
    var groups = new HashMap<String, List<GroupState>>();
    for (var topic : topics) groups.put(topic, groups(topic, sample.lags(), members));
    return new Cluster(sample.brokers(), sample.topics(), groups);
  }

  /// @throws KafkaException when the cluster does not answer
  Sample sample() {
    var brokers = queries.brokers();
    var found = queries.topics(topics);
    var ids = ClusterQueries.partitions(found);
    var begins = queries.offsets(ids, OffsetSpec.earliest());
    var ends = queries.offsets(ids, OffsetSpec.latest());
    var replicas = queries.replicas(brokers);
    return new Sample(
        brokers.stream()
            .map(node -> new Broker(node.id(), node.host() + ":" + node.port()))
            .toList(),
        found.stream()
            .sorted(Comparator.comparingInt(topic -> topics.indexOf(topic.name())))
            .map(topic -> state(topic, begins, ends, replicas))
            .toList(),
        lags(ends));
  }

  private static TopicState state(
      TopicDescription topic,
      Map<TopicPartition, Long> begins,
      Map<TopicPartition, Long> ends,
      Map<TopicPartition, List<ReplicaInfo>> replicas) {
    var partitions = new ArrayList<PartitionState>();
    for (var info : topic.partitions()) {
      var id = new TopicPartition(topic.name(), info.partition());
      var begin = begins.getOrDefault(id, 0L);
      var end = ends.getOrDefault(id, 0L);
      partitions.add(state(info, begin, end, replicas.getOrDefault(id, List.of())));
    }
    return new TopicState(topic.name(), partitions);
  }

  private static PartitionState state(
      TopicPartitionInfo info, long begin, long end, List<ReplicaInfo> replicas) {
    return new PartitionState(
        info.partition(),
        begin,
        end,
        info.leader() == null ? -1 : info.leader().id(),
        info.isr().size(),
        info.replicas().size(),
        replicas.stream().mapToLong(ReplicaInfo::size).sum(),
        replicas.stream()
            .filter(replica -> !replica.isFuture())
            .mapToLong(ReplicaInfo::offsetLag)
            .max()
            .orElse(0));
  }

  private Map<String, Map<TopicPartition, Long>> lags(Map<TopicPartition, Long> ends) {
    var lags = new TreeMap<String, Map<TopicPartition, Long>>();
    queries
        .committed(groups)
        .forEach((group, committed) -> {
          var lag = new HashMap<TopicPartition, Long>();
          committed.forEach((id, offset) -> {
            var end = ends.get(id);
            if (end != null) lag.put(id, Math.max(0, end - offset));
          });
          if (!lag.isEmpty()) lags.put(group, lag);
        });
    return lags;
  }

  private static List<GroupState> groups(
      String topic,
      Map<String, Map<TopicPartition, Long>> lags,
      Map<String, List<Set<String>>> members) {
    var groups = new ArrayList<GroupState>();
    lags.forEach((group, partitions) -> {
      var own = new HashMap<>(partitions);
      own.keySet().removeIf(id -> !id.topic().equals(topic));
      if (own.isEmpty()) return;
      var lag = own.values().stream().mapToLong(each -> each).sum();
      groups.add(
          new GroupState(group, lag, readers(topic, members.getOrDefault(group, List.of()))));
    });
    return groups;
  }

  private static int readers(String topic, List<Set<String>> members) {
    return (int) members.stream().filter(topics -> topics.contains(topic)).count();
  }

  @Override
  public void close() {
    queries.close();
  }
}
