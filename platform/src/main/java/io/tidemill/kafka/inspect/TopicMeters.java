package io.tidemill.kafka.inspect;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.tidemill.kafka.KafkaClients;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.service.Service;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.ToDoubleFunction;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How topics and groups stand (C2.11): looked up every few seconds on a thread of its own, so
/// whoever asks gets the latest answer at once.
public final class TopicMeters implements Service {
  private static final Logger log = LoggerFactory.getLogger(TopicMeters.class);
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

  private final KafkaConfig config;
  private final TopicSurvey survey;
  private final Duration every;
  private final MultiGauge lags;
  private final Thread sampler = Thread.ofVirtual().name("kafka-topics").unstarted(this::sample);
  private volatile TopicSurvey.Found latest = TopicSurvey.Found.NOTHING;
  private volatile boolean stopping;
  private @Nullable Admin admin;

  public TopicMeters(
      KafkaConfig config, List<String> topics, List<String> groups, MeterRegistry metrics) {
    this(config, topics, groups, metrics, EVERY);
  }

  TopicMeters(
      KafkaConfig config,
      List<String> topics,
      List<String> groups,
      MeterRegistry metrics,
      Duration every) {
    this.config = config;
    survey = new TopicSurvey(topics, groups, LIMIT);
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
      latest = survey.look(admin());
    } catch (ExecutionException | TimeoutException | RuntimeException unknown) {
      latest = TopicSurvey.Found.NOTHING;
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

  // On first use: a name that does not resolve yet must not keep a process from starting.
  private Admin admin() {
    var open = admin;
    if (open == null) {
      open = KafkaClients.admin(config, LIMIT, "tidemill-topic-info");
      admin = open;
    }
    return open;
  }
}
