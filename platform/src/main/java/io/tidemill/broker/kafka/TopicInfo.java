package io.tidemill.broker.kafka;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.tidemill.service.Service;
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
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How topics and groups stand (C2.11): looked up every few seconds on a thread of its own, so
/// whoever asks gets the latest answer at once.
public final class TopicInfo implements Service {
  private static final Logger log = LoggerFactory.getLogger(TopicInfo.class);
  private static final Duration EVERY = Duration.ofSeconds(10);
  private static final Duration LIMIT = Duration.ofSeconds(5);

  /// The state of a topic.
  ///
  /// @param messages records that it keeps
  /// @param bytes on the disks of all brokers
  /// @param underReplicated partitions with fewer copies in step than they should have
  /// @param replicationLag records that the copy furthest behind has not got
  public record Topic(
      int partitions, long messages, long bytes, int underReplicated, long replicationLag) {}

  private record Latest(Map<String, Topic> topics, Map<String, Map<TopicPartition, Long>> lags) {
    static final Latest NONE = new Latest(Map.of(), Map.of());
  }

  private final KafkaConfig config;
  private final List<String> topics;
  private final List<String> groups;
  private final Duration every;
  private final MultiGauge lags;
  private final Thread sampler = Thread.ofVirtual().name("kafka-topics").unstarted(this::sample);
  private volatile Latest latest = Latest.NONE;
  private volatile boolean stopping;
  private @Nullable Admin admin;

  public TopicInfo(
      KafkaConfig config, List<String> topics, List<String> groups, MeterRegistry metrics) {
    this(config, topics, groups, metrics, EVERY);
  }

  TopicInfo(
      KafkaConfig config,
      List<String> topics,
      List<String> groups,
      MeterRegistry metrics,
      Duration every) {
    this.config = config;
    this.topics = List.copyOf(topics);
    this.groups = List.copyOf(groups);
    this.every = every;
    for (var topic : topics) register(topic, metrics);
    lags =
        MultiGauge.builder("kafka.group.lag")
            .description("Records of a partition that the group has not committed")
            .register(metrics);
  }

  private void register(String topic, MeterRegistry metrics) {
    gauge("kafka.topic.partitions", "Partitions", topic, Topic::partitions, metrics);
    gauge("kafka.topic.messages", "Records that are kept", topic, Topic::messages, metrics);
    gauge("kafka.topic.bytes", "Bytes on all disks", topic, Topic::bytes, metrics);
    gauge(
        "kafka.topic.under.replicated",
        "Partitions with fewer copies in step than they should have",
        topic,
        Topic::underReplicated,
        metrics);
    gauge(
        "kafka.topic.replication.lag",
        "Records that the copy furthest behind has not got",
        topic,
        Topic::replicationLag,
        metrics);
  }

  private void gauge(
      String name,
      String description,
      String topic,
      ToDoubleFunction<Topic> value,
      MeterRegistry metrics) {
    Gauge.builder(
            name,
            () -> {
              var state = latest.topics().get(topic);
              return state == null ? Double.NaN : value.applyAsDouble(state);
            })
        .description(description)
        .tag("topic", topic)
        .register(metrics);
  }

  /// The topics that there are, as of a few seconds ago.
  public Map<String, Topic> topics() {
    return latest.topics();
  }

  /// How many records each group has not committed, as of a few seconds ago.
  public Map<String, Long> lags() {
    var sums = new TreeMap<String, Long>();
    latest
        .lags()
        .forEach(
            (group, parts) -> sums.put(group, parts.values().stream().mapToLong(lag -> lag).sum()));
    return sums;
  }

  @Override
  public String name() {
    return "topic info";
  }

  @Override
  public void start() {
    sampler.start();
  }

  @Override
  public void stop() {
    stopping = true;
    sampler.interrupt();
    try {
      sampler.join(Duration.ofSeconds(2));
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  private void sample() {
    try {
      while (!stopping) {
        look();
        Thread.sleep(every);
      }
    } catch (InterruptedException stop) {
      // asked to
    } finally {
      if (admin != null) admin.close(Duration.ofSeconds(1));
    }
  }

  private void look() throws InterruptedException {
    try {
      latest = look(admin());
    } catch (ExecutionException | TimeoutException | RuntimeException unknown) {
      latest = Latest.NONE;
      log.debug("nothing is known of the topics: {}", unknown.getMessage());
    }
    lags.register(rows(latest.lags()), true);
  }

  private static List<MultiGauge.Row<?>> rows(Map<String, Map<TopicPartition, Long>> lags) {
    var rows = new ArrayList<MultiGauge.Row<?>>();
    lags.forEach((group, parts) ->
        parts.forEach((id, lag) -> {
          var partition = String.valueOf(id.partition());
          var tags = Tags.of("group", group, "topic", id.topic(), "partition", partition);
          rows.add(MultiGauge.Row.of(tags, lag));
        }));
    return rows;
  }

  private Latest look(Admin asked)
      throws ExecutionException, InterruptedException, TimeoutException {
    var known = descriptions(asked);
    var ids = known.stream().flatMap(topic -> ids(topic).stream()).toList();
    var begins = offsets(asked, ids, OffsetSpec.earliest());
    var ends = offsets(asked, ids, OffsetSpec.latest());
    var replicas = replicas(asked);
    var states = new TreeMap<String, Topic>();
    for (var topic : known) states.put(topic.name(), state(topic, begins, ends, replicas));
    return new Latest(states, lags(asked, ends));
  }

  private List<TopicDescription> descriptions(Admin asked)
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

  private static List<TopicPartition> ids(TopicDescription topic) {
    return topic.partitions().stream()
        .map(info -> new TopicPartition(topic.name(), info.partition()))
        .toList();
  }

  private static Map<TopicPartition, Long> offsets(
      Admin asked, List<TopicPartition> ids, OffsetSpec spec)
      throws ExecutionException, InterruptedException, TimeoutException {
    var wanted = ids.stream().collect(Collectors.toMap(id -> id, _ -> spec));
    Map<TopicPartition, ListOffsetsResultInfo> found = get(asked.listOffsets(wanted).all());
    var offsets = new HashMap<TopicPartition, Long>();
    found.forEach((id, info) -> offsets.put(id, info.offset()));
    return offsets;
  }

  private static Map<TopicPartition, List<ReplicaInfo>> replicas(Admin asked)
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

  private Map<String, Map<TopicPartition, Long>> lags(Admin asked, Map<TopicPartition, Long> ends)
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

  private static <T> T get(KafkaFuture<T> answer)
      throws ExecutionException, InterruptedException, TimeoutException {
    return answer.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
  }

  // On first use: a name that does not resolve yet must not keep a process from starting.
  private Admin admin() {
    var open = admin;
    if (open == null) {
      open =
          Admin.create(
              Map.of(
                  AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                  config.bootstrap(),
                  AdminClientConfig.CLIENT_ID_CONFIG,
                  "tidemill-topic-info",
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
}
