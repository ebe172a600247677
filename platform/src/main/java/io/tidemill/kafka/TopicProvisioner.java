package io.tidemill.kafka;

import static java.util.Objects.requireNonNull;

import io.tidemill.config.Renaming;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes topics that are missing, and warns of those that are not as they should be (C2.1).
public final class TopicProvisioner implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(TopicProvisioner.class);

  private static final Duration LEADERS_LIMIT = Duration.ofSeconds(10);

  /// A topic as a contract wants it.
  ///
  /// @param more further settings of the topic, by Kafka's names
  public record Wanted(String name, int partitions, Duration retention, Map<String, String> more) {
    public Wanted(String name, int partitions, Duration retention) {
      this(name, partitions, retention, Map.of());
    }

    private Wanted called(String other) {
      return new Wanted(other, partitions, retention, more);
    }
  }

  private final KafkaConfig config;
  private final Renaming names;
  private final Admin admin;

  public TopicProvisioner(KafkaConfig config) {
    this.config = config;
    names = config.topicNames();
    admin =
        KafkaClients.admin(
            config,
            Duration.ofSeconds(15),
            Map.of(
                AdminClientConfig.CLIENT_ID_CONFIG,
                "tidemill-topics",
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                5_000));
  }

  /// Makes what is missing; never changes what is there.
  public void provision(List<Wanted> all) throws InterruptedException {
    var wanted = all.stream().map(topic -> topic.called(names.name(topic.name()))).toList();
    var made = admin.createTopics(wanted.stream().map(this::topic).toList()).values();
    for (var topic : wanted) {
      try {
        requireNonNull(made.get(topic.name())).get();
        awaitLeaders(topic);
      } catch (ExecutionException failed) {
        if (!(failed.getCause() instanceof TopicExistsException)) {
          throw new KafkaException("topic " + topic.name() + ": " + message(failed), failed);
        }
        compare(topic);
      }
    }
  }

  // A topic is made before its leaders know that they lead. The first records of a producer that
  // comes in between can get out of order, which Kafka then refuses until they expire.
  private void awaitLeaders(Wanted wanted) throws InterruptedException {
    var all =
        IntStream.range(0, wanted.partitions())
            .mapToObj(number -> new TopicPartition(wanted.name(), number))
            .collect(Collectors.toMap(id -> id, _ -> OffsetSpec.latest()));
    var deadline = System.nanoTime() + LEADERS_LIMIT.toNanos();
    for (var missing = leaderless(all); missing != null; missing = leaderless(all)) {
      if (System.nanoTime() - deadline > 0) {
        log.warn("topic {} is made, but has no leaders yet: {}", wanted.name(), missing);
        return;
      }
      Thread.sleep(20);
    }
  }

  private @Nullable String leaderless(Map<TopicPartition, OffsetSpec> all)
      throws InterruptedException {
    try {
      var _ = admin.listOffsets(all).all().get();
      return null;
    } catch (ExecutionException notYet) {
      return message(notYet);
    }
  }

  private NewTopic topic(Wanted wanted) {
    return new NewTopic(wanted.name(), wanted.partitions(), (short) config.replication())
        .configs(settings(wanted));
  }

  private static Map<String, String> settings(Wanted wanted) {
    var settings = new HashMap<>(wanted.more());
    settings.put(TopicConfig.RETENTION_MS_CONFIG, String.valueOf(wanted.retention().toMillis()));
    settings.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE);
    return settings;
  }

  private void compare(Wanted wanted) throws InterruptedException {
    try {
      var resource = new ConfigResource(ConfigResource.Type.TOPIC, wanted.name());
      var topics = admin.describeTopics(List.of(wanted.name())).topicNameValues();
      var configs = admin.describeConfigs(List.of(resource)).values();
      var there = requireNonNull(topics.get(wanted.name())).get();
      var config = requireNonNull(configs.get(resource)).get();
      var differences = differences(wanted, there, config);
      if (!differences.isEmpty()) {
        log.warn("topic {} is left as it is, though {}", wanted.name(), differences);
      }
    } catch (ExecutionException failed) {
      log.warn("topic {} can't be looked at: {}", wanted.name(), message(failed));
    }
  }

  private static String differences(Wanted wanted, TopicDescription there, Config config) {
    var partitions = there.partitions().size();
    var count =
        partitions == wanted.partitions()
            ? Stream.<String>empty()
            : Stream.of("it has %d partitions, not %d".formatted(partitions, wanted.partitions()));
    var settings =
        settings(wanted).entrySet().stream()
            .filter(entry -> !entry.getValue().equals(config.get(entry.getKey()).value()))
            .map(entry ->
                "its %s is %s, not %s"
                    .formatted(
                        entry.getKey(), config.get(entry.getKey()).value(), entry.getValue()));
    return Stream.concat(count, settings).collect(Collectors.joining(" and "));
  }

  /// Makes a group known on topics that it has never read, before anything is published that it
  /// must not miss (C2.5, F01).
  ///
  /// A group that has read a topic before is left alone, but for partitions that were added since:
  /// those it reads from their beginning.
  public void pin(String group, List<String> topics, StartAt startAt) throws InterruptedException {
    pin(group, null, topics, startAt);
  }

  /// The same for a group that takes over from another one: on topics that it has never read it
  /// begins where the other one stands.
  ///
  /// @param predecessor null when there is none
  public void pin(String group, @Nullable String predecessor, List<String> all, StartAt startAt)
      throws InterruptedException {
    var topics = names.names(all);
    try {
      var known = committed(group);
      var unread = topics.stream().filter(topic -> !hasRead(known, topic)).toList();
      if (predecessor != null && !unread.isEmpty()) {
        var taken = committed(predecessor);
        taken.keySet().removeIf(id -> !unread.contains(id.topic()));
        if (!taken.isEmpty()) begin(group, taken);
        known.putAll(taken);
      }
      var missing = missing(known, topics, startAt);
      if (!missing.isEmpty()) begin(group, offsets(missing));
    } catch (ExecutionException failed) {
      throw new KafkaException("group " + group + ": " + message(failed), failed);
    }
  }

  private Map<TopicPartition, OffsetSpec> missing(
      Map<TopicPartition, OffsetAndMetadata> known, List<String> topics, StartAt startAt)
      throws ExecutionException, InterruptedException {
    var wanted = new HashMap<TopicPartition, OffsetSpec>();
    for (var topic : admin.describeTopics(topics).allTopicNames().get().values()) {
      var isNew = !hasRead(known, topic.name());
      var spec = isNew && startAt == StartAt.LATEST ? OffsetSpec.latest() : OffsetSpec.earliest();
      for (var info : topic.partitions()) {
        var id = new TopicPartition(topic.name(), info.partition());
        if (!known.containsKey(id)) wanted.put(id, spec);
      }
    }
    return wanted;
  }

  private static boolean hasRead(Map<TopicPartition, OffsetAndMetadata> known, String topic) {
    return known.keySet().stream().anyMatch(id -> id.topic().equals(topic));
  }

  private Map<TopicPartition, OffsetAndMetadata> committed(String group)
      throws ExecutionException, InterruptedException {
    try {
      var name = config.groupNames().name(group);
      var all = admin.listConsumerGroupOffsets(name).partitionsToOffsetAndMetadata().get();
      return all.entrySet().stream()
          .filter(entry -> entry.getValue() != null)
          .collect(
              Collectors.toMap(
                  Map.Entry::getKey, Map.Entry::getValue, (one, _) -> one, HashMap::new));
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof GroupIdNotFoundException) return new HashMap<>();
      throw failed;
    }
  }

  private Map<TopicPartition, OffsetAndMetadata> offsets(Map<TopicPartition, OffsetSpec> wanted)
      throws ExecutionException, InterruptedException {
    var offsets = new HashMap<TopicPartition, OffsetAndMetadata>();
    admin
        .listOffsets(wanted)
        .all()
        .get()
        .forEach((id, found) -> offsets.put(id, new OffsetAndMetadata(found.offset())));
    return offsets;
  }

  private void begin(String group, Map<TopicPartition, OffsetAndMetadata> offsets)
      throws ExecutionException, InterruptedException {
    try {
      var name = config.groupNames().name(group);
      admin.alterConsumerGroupOffsets(name, offsets).all().get();
      log.debug("group {} starts at {}", group, offsets);
    } catch (ExecutionException failed) {
      // Somebody is reading for the group by now: where it starts is settled.
      if (!(failed.getCause() instanceof UnknownMemberIdException)
          && !(failed.getCause() instanceof GroupNotEmptyException)) throw failed;
    }
  }

  /// [#pin(String, List, StartAt)] at the end that the topics have at this moment.
  public void pin(String group, List<String> topics) throws InterruptedException {
    pin(group, topics, StartAt.LATEST);
  }

  /// Asks the cluster who is there.
  ///
  /// @return how many brokers answered for
  public int brokers() throws InterruptedException {
    try {
      return admin.describeCluster().nodes().get().size();
    } catch (ExecutionException failed) {
      throw new KafkaException("kafka: " + message(failed), failed);
    }
  }

  private static String message(ExecutionException failed) {
    var cause = failed.getCause();
    return String.valueOf(cause == null ? failed.getMessage() : cause.getMessage());
  }

  @Override
  public void close() {
    admin.close(Duration.ofSeconds(1));
  }
}
