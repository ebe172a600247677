package io.tidemill.kafka.inspect;

import static io.tidemill.support.TestKafka.settings;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.TopicProvisioner;
import io.tidemill.support.TestKafka;
import io.tidemill.work.Settlement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Size, lag and handling of topics and groups, as the metrics show them (C2.11).
class TopicMetersIT {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Duration OFTEN = Duration.ofMillis(100);

  private final TestKafka kafka = TestKafka.shared();
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();

  @SuppressWarnings("NullAway.Init") // each test begins with start()
  private TopicMeters info;

  @AfterEach
  void stop() {
    if (info != null) info.stop();
    kafka.stopConsumers();
  }

  @Test
  void showsSizesAndTheLagOfAGroupThatNobodyReadsFor() throws InterruptedException {
    var topic = kafka.topic(3);
    var group = "sleepers-" + topic;
    try (var topics = new TopicProvisioner(kafka.config())) {
      topics.pin(group, List.of(topic));
    }
    kafka.publishAll(topic, 10, 5);

    start(List.of(topic, topic + ".dead"), List.of(group, "nobody"));

    await().atMost(LONG).until(() -> info.lags().getOrDefault(group, 0L) == 50);
    var state = requireNonNull(info.topics().get(topic));
    assertThat(state.partitions()).hasSize(3);
    assertThat(state.messages()).isEqualTo(50);
    assertThat(state.bytes()).isPositive();
    assertThat(state.underReplicated()).isZero();
    assertThat(state.replicationLag()).isZero();
    assertThat(info.topics()).doesNotContainKey(topic + ".dead");
    assertThat(info.lags()).containsOnlyKeys(group);
    assertThat(gauge("kafka.topic.messages", topic)).isEqualTo(50);
    assertThat(gauge("kafka.topic.bytes", topic)).isEqualTo((double) state.bytes());
    assertThat(gauge("kafka.topic.partitions", topic)).isEqualTo(3);
    assertThat(gauge("kafka.topic.bytes", topic + ".dead")).isNaN();
    await()
        .ignoreExceptions()
        .until(() ->
            metrics.get("kafka.group.lag").tag("group", group).tag("topic", topic).gauges().size()
                == 3);
  }

  @Test
  void tellsPartitionsAndReadersOfEachTopic() {
    var topic = kafka.topic(3);
    var group = "members-" + topic;
    kafka.publishAll(topic, 5, 4);
    kafka.consume(settings(group, topic), _ -> Settlement.DONE, metrics);

    try (var cluster =
        new ClusterInspector(kafka.config(), List.of(topic, "missing"), List.of(group, "nobody"))) {
      var settled = List.of(new ClusterInspector.GroupState(group, 0, 1));
      await().atMost(LONG).until(() -> settled.equals(cluster.cluster().groups().get(topic)));
      var found = cluster.cluster();
      var state = found.topics().getFirst();

      assertThat(found.brokers()).hasSize(1);
      assertThat(found.topics()).hasSize(1);
      assertThat(state.messages()).isEqualTo(20);
      assertThat(state.partitions().stream().mapToLong(part -> part.end() - part.begin()).sum())
          .isEqualTo(20);
      assertThat(state.partitions()).allMatch(part -> part.leader() > 0 && part.inSync() == 1);
    }
  }

  @Test
  void theLagGoesDownAndAttemptsAreTimed() {
    var topic = kafka.topic(1);
    var group = "readers-" + topic;
    kafka.publishAll(topic, 5, 4);
    kafka.consume(
        settings(group, topic),
        attempt ->
            attempt.number() == 1 && TestKafka.value(attempt.record()).equals("0")
                ? new Settlement.Retry(Duration.ofMillis(1), "not yet")
                : Settlement.DONE,
        metrics);
    start(List.of(topic), List.of(group));

    await().atMost(LONG).until(() -> info.lags().getOrDefault(group, -1L) == 0);
    var timer = metrics.get("kafka.consumer.handling").tag("topic", topic).timer();
    assertThat(timer.count()).isEqualTo(25);
    assertThat(timer.takeSnapshot().percentileValues()).hasSize(3);
    assertThat(metrics.get("kafka.consumer.records").tag("topic", topic).counter().count())
        .isEqualTo(20);
  }

  @Test
  void aBrokerThatIsAwayHoldsNobodyUp() {
    info =
        new TopicMeters(
            new KafkaConfig("127.0.0.1:1", 1), List.of("t"), List.of("g"), metrics, OFTEN);
    info.start();

    assertThat(info.topics()).isEmpty();
    assertThat(info.lags()).isEmpty();
    assertThat(gauge("kafka.topic.bytes", "t")).isNaN();
  }

  private void start(List<String> topics, List<String> groups) {
    info = new TopicMeters(kafka.config(), topics, groups, metrics, OFTEN);
    info.start();
  }

  private double gauge(String name, String topic) {
    return metrics.get(name).tag("topic", topic).gauge().value();
  }
}
