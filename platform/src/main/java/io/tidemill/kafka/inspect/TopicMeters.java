package io.tidemill.kafka.inspect;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.inspect.ClusterInspector.Sample;
import io.tidemill.kafka.inspect.ClusterInspector.TopicState;
import io.tidemill.service.PeriodicTask;
import io.tidemill.service.Service;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Samples topics and consumer groups every few seconds, for the metrics and the status (C2.11).
public final class TopicMeters implements Service {
  private static final Logger log = LoggerFactory.getLogger(TopicMeters.class);
  private static final Duration EVERY = Duration.ofSeconds(10);
  private static final Duration LIMIT = Duration.ofSeconds(5);

  private final ClusterInspector inspector;
  private final MultiGauge lags;
  private final PeriodicTask sampler;
  private volatile Sample latest = Sample.NONE;

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
    inspector = new ClusterInspector(config, topics, groups, LIMIT, "tidemill-topic-info");
    sampler = new PeriodicTask("topic info", every, this::sample);
    for (var topic : topics) register(topic, metrics);
    lags =
        MultiGauge.builder("kafka.group.lag")
            .description("Records of a partition that the group has not committed")
            .register(metrics);
  }

  private void register(String topic, MeterRegistry metrics) {
    gauge(
        "kafka.topic.partitions", "Partitions", topic, state -> state.partitions().size(), metrics);
    gauge("kafka.topic.messages", "Records that are kept", topic, TopicState::messages, metrics);
    gauge("kafka.topic.bytes", "Bytes on all disks", topic, TopicState::bytes, metrics);
    gauge(
        "kafka.topic.under.replicated",
        "Partitions with fewer copies in step than they should have",
        topic,
        TopicState::underReplicated,
        metrics);
    gauge(
        "kafka.topic.replication.lag",
        "Records that the copy furthest behind has not got",
        topic,
        TopicState::replicationLag,
        metrics);
  }

  private void gauge(
      String name,
      String description,
      String topic,
      ToDoubleFunction<TopicState> value,
      MeterRegistry metrics) {
    Gauge.builder(
            name,
            () -> {
              var state = topics().get(topic);
              return state == null ? Double.NaN : value.applyAsDouble(state);
            })
        .description(description)
        .tag("topic", topic)
        .register(metrics);
  }

  /// The topics that exist, by name, as of a few seconds ago; none when Kafka does not answer.
  public Map<String, TopicState> topics() {
    var topics = new TreeMap<String, TopicState>();
    for (var topic : latest.topics()) topics.put(topic.name(), topic);
    return topics;
  }

  /// Records that each group has not committed, as of a few seconds ago.
  public Map<String, Long> lags() {
    var sums = new TreeMap<String, Long>();
    latest
        .lags()
        .forEach((group, partitions) ->
            sums.put(group, partitions.values().stream().mapToLong(lag -> lag).sum()));
    return sums;
  }

  @Override
  public String name() {
    return sampler.name();
  }

  @Override
  public void start() {
    sampler.start();
  }

  @Override
  public void stop() {
    sampler.stop();
    inspector.close();
  }

  private void sample() {
    try {
      latest = inspector.sample();
    } catch (RuntimeException unknown) {
      latest = Sample.NONE;
      log.debug("the topics can't be inspected: {}", unknown.getMessage());
    }
    lags.register(rows(latest.lags()), true);
  }

  private static List<MultiGauge.Row<?>> rows(Map<String, Map<TopicPartition, Long>> lags) {
    var rows = new ArrayList<MultiGauge.Row<?>>();
    lags.forEach((group, partitions) ->
        partitions.forEach((id, lag) -> {
          var partition = String.valueOf(id.partition());
          var tags = Tags.of("group", group, "topic", id.topic(), "partition", partition);
          rows.add(MultiGauge.Row.of(tags, lag));
        }));
    return rows;
  }
}
