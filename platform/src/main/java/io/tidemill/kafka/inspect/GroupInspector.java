package io.tidemill.kafka.inspect;

import io.tidemill.kafka.KafkaClients;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.KafkaException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// The progress of consumer groups: end offsets, commits, members, and the age of the first record
/// that is not committed.
public final class GroupInspector implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(3);
  private static final Duration PARTITIONS_CACHED = Duration.ofMinutes(1);

  /// A group that reads a topic.
  public record Subscription(String topic, String group) {}

  /// The progress of a group in a topic.
  ///
  /// @param end sum of the end offsets of all partitions
  /// @param committed sum of the committed offsets
  /// @param members of the group; dead ones count until their session times out
  /// @param oldest time of the first record that is not committed, epoch milliseconds
  public record Progress(long end, long committed, long lag, int members, @Nullable Long oldest) {}

  private final List<Subscription> subscriptions;
  private final List<String> topics;
  private final List<String> groups;
  private final ClusterQueries queries;
  private final FirstUncommitted first;
  private List<TopicPartition> partitions = List.of();
  private long partitionsAt;

  public GroupInspector(KafkaConfig config, List<Subscription> subscriptions) {
    this.subscriptions = List.copyOf(subscriptions);
    topics = subscriptions.stream().map(Subscription::topic).distinct().toList();
    groups = subscriptions.stream().map(Subscription::group).distinct().toList();
    queries =
        new ClusterQueries(
            config, LIMIT, () -> KafkaClients.admin(config, LIMIT, "tidemill-progress"));
    first = new FirstUncommitted(config, LIMIT);
  }

  /// The progress of each group; a topic that does not exist is left out.
  ///
  /// @throws KafkaException when the cluster does not answer
  public synchronized Map<Subscription, Progress> progress() {
    try {
      var ends = queries.offsets(partitions(), OffsetSpec.latest());
      var committed = queries.committed(groups);
      addBegins(committed, ends.keySet());
      var members = queries.members(groups);
      var found = new HashMap<Subscription, Progress>();
      for (var each : subscriptions) {
        var own = of(each.topic(), ends);
        if (own.isEmpty()) continue;
        var done = of(each.topic(), committed.getOrDefault(each.group(), Map.of()));
        found.put(each, progress(own, done, members.getOrDefault(each.group(), List.of()).size()));
      }
      return found;
    } catch (KafkaException failed) {
      var cause = failed.getCause() == null ? failed : failed.getCause();
      throw new KafkaException("Kafka does not answer: " + cause.getMessage(), failed);
    }
  }

  // They hardly ever change.
  private List<TopicPartition> partitions() {
    var now = System.nanoTime();
    if (!partitions.isEmpty() && now - partitionsAt < PARTITIONS_CACHED.toNanos()) {
      return partitions;
    }
    var found = queries.topics(topics);
    var ids = ClusterQueries.partitions(found);
    if (found.size() == topics.size()) {
      partitions = ids;
      partitionsAt = now;
    }
    return ids;
  }

  // A group without a commit starts at the first record that is kept.
  private void addBegins(
      Map<String, Map<TopicPartition, Long>> committed, Collection<TopicPartition> ids) {
    var begins =
        queries.offsets(
            ids.stream()
                .filter(id -> subscriptions.stream().anyMatch(each -> lacks(each, id, committed)))
                .toList(),
            OffsetSpec.earliest());
    for (var each : subscriptions) {
      var own = committed.computeIfAbsent(each.group(), _ -> new HashMap<>());
      of(each.topic(), begins).forEach(own::putIfAbsent);
    }
  }

  private static boolean lacks(
      Subscription subscription,
      TopicPartition id,
      Map<String, Map<TopicPartition, Long>> committed) {
    return subscription.topic().equals(id.topic())
        && !committed.getOrDefault(subscription.group(), Map.of()).containsKey(id);
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
    return new Progress(sum(ends), sum(committed), lag, members, first.timestamp(onServer(behind)));
  }

  private Map<TopicPartition, Long> onServer(Map<TopicPartition, Long> offsets) {
    var named = new HashMap<TopicPartition, Long>();
    offsets.forEach((id, offset) -> named.put(queries.onServer(id), offset));
    return named;
  }

  private static long sum(Map<TopicPartition, Long> offsets) {
    return offsets.values().stream().mapToLong(offset -> offset).sum();
  }

  /// Closes the connections; the next question opens them again.
  @Override
  public synchronized void close() {
    first.close();
    queries.close();
  }
}
