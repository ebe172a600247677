package io.tidemill.workflow;

import static io.tidemill.support.TestKafka.bytes;
import static io.tidemill.support.TestKafka.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.KafkaException;
import io.tidemill.kafka.KafkaPublisher;
import io.tidemill.kafka.KafkaRecord;
import io.tidemill.kafka.TopicProvisioner;
import io.tidemill.support.TestKafka;
import io.tidemill.work.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/// Events as they lie in the topic, and what is told of them (C2.2, C2.11).
class ExecutionPublisherIT {
  // Of today: the broker may clear away what is older than its retention at any time.
  private final Instant at = Instant.now().truncatedTo(ChronoUnit.MILLIS);

  private final TestKafka kafka = TestKafka.shared();
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final ExecutionPublisher events = new ExecutionPublisher(kafka.publisher(), metrics);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(ExecutionPublisher.class);

  @BeforeEach
  void listen() throws InterruptedException {
    try (var topics = new TopicProvisioner(kafka.config())) {
      topics.provision(
          List.of(
              new TopicProvisioner.Wanted(
                  ExecutionNames.WORKFLOWS, ExecutionNames.PARTITIONS, ExecutionNames.RETENTION)));
    }
    logger.setLevel(ch.qos.logback.classic.Level.INFO);
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void stop() {
    logger.detachAppender(lines);
    kafka.stopConsumers();
  }

  @Test
  void anEventHasTheContractsKeyHeadersAndTime() { // C2.2
    var published =
        events.publish(
            ExecutionKind.WORKFLOW, "wf-a", bytes("{}"), at, "workflow.created", "00-a", 2, true);

    var record = find("wf-a");
    assertThat(published.partition()).isEqualTo(2);
    assertThat(record.partition()).isEqualTo(2);
    assertThat(record.timestamp()).isEqualTo(at.toEpochMilli());
    assertThat(record.header("content-type")).contains(bytes("application/json"));
    assertThat(record.header("schema-version")).contains(bytes("1.0.0"));
    assertThat(record.header("traceparent")).contains(bytes("00-a"));
    assertThat(record.header(ExecutionNames.RECORDED)).isPresent();
  }

  private KafkaRecord find(String id) {
    var found = new CopyOnWriteArrayList<KafkaRecord>();
    kafka.consume(
        TestKafka.settings("find-" + id, ExecutionNames.WORKFLOWS),
        attempt -> {
          if (key(attempt.record()).equals(id)) found.add(attempt.record());
          return Settlement.DONE;
        });
    await().until(() -> !found.isEmpty());
    return found.getFirst();
  }

  @Test
  void whatIsPublishedIsCountedTimedAndLogged() { // C2.11
    var published =
        events
            .send(
                ExecutionKind.WORKFLOW,
                "wf-b",
                bytes("{}"),
                at,
                "workflow.completed",
                null,
                ExecutionPublisher.BY_KEY,
                false)
            .join();

    assertThat(metrics.get("flow.events.published").tag("type", "workflow.completed").counter())
        .satisfies(counter -> assertThat(counter.count()).isEqualTo(1));
    assertThat(metrics.get("flow.publish").timer().count()).isEqualTo(1);
    var line = lines.list.getLast();
    assertThat(line.getMessage()).isEqualTo("Event published");
    assertThat(line.getKeyValuePairs())
        .extracting(pair -> pair.key + "=" + pair.value)
        .containsExactly(
            "topic=workflows",
            "eventType=workflow.completed",
            "workflowId=wf-b",
            "partition=" + published.partition(),
            "offset=" + published.offset());
  }

  @Test
  void whatIsNotConfirmedCountsAsFailed() { // C2.11, F06
    var nobody = new KafkaConfig("127.0.0.1:1", 1);
    var brief = Duration.ofMillis(300);
    try (var publisher = new KafkaPublisher(nobody, "test", brief, brief)) {
      var cutOff = new ExecutionPublisher(publisher, metrics);

      assertThatThrownBy(() ->
              cutOff.publish(
                  ExecutionKind.TASK, "task-a", bytes("{}"), at, "task.created", null, -1, false))
          .isInstanceOf(KafkaException.class);
    }

    assertThat(metrics.get("flow.publish.failures").counter().count()).isEqualTo(1);
    assertThat(metrics.find("flow.events.published").counter()).isNull();
  }
}
