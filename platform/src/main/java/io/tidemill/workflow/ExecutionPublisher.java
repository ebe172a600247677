package io.tidemill.workflow;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.kafka.KafkaException;
import io.tidemill.kafka.KafkaHeader;
import io.tidemill.kafka.KafkaPublisher;
import io.tidemill.kafka.OutgoingRecord;
import io.tidemill.kafka.PublishedRecord;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Publishes events with the contract's key, headers and time (C2.2), each counted, timed and
/// logged (C2.11).
public final class ExecutionPublisher {
  /// Lets the hash of the id say where an event goes.
  public static final int BY_KEY = -1;

  private static final Logger log = LoggerFactory.getLogger(ExecutionPublisher.class);
  private static final KafkaHeader JSON =
      KafkaHeader.of(ExecutionNames.CONTENT_TYPE, "application/json");
  private static final KafkaHeader VERSION =
      KafkaHeader.of(ExecutionNames.SCHEMA_VERSION, ExecutionNames.VERSION);
  private static final KafkaHeader RECORDED = KafkaHeader.of(ExecutionNames.RECORDED, "1");

  private final KafkaPublisher kafka;
  private final MeterRegistry metrics;
  private final Map<String, Counter> counters = new ConcurrentHashMap<>();
  private final Timer timer;
  private final Counter failures;

  public ExecutionPublisher(KafkaPublisher kafka, MeterRegistry metrics) {
    this.kafka = kafka;
    this.metrics = metrics;
    timer =
        Timer.builder("flow.publish")
            .description("From the wish to publish an event to the broker's confirmation")
            .publishPercentiles(0.5, 0.95, 0.99)
            .register(metrics);
    failures =
        Counter.builder("flow.publish.failures")
            .description("Events that the broker did not confirm")
            .register(metrics);
  }

  /// Returns when the broker has the event; throws a [KafkaException] when it has refused it or
  /// stayed silent.
  ///
  /// @param value the event as [io.tidemill.contract.flow.ExecutionCodec] encodes it
  /// @param at the event's time
  /// @param partition that of its `created` event, or [#BY_KEY]: programs in other languages spread
  ///   keys differently, and the events of one workflow must stay together
  /// @param recorded whether what it tells of is in the store already, so that nobody of ours need
  ///   read it
  public PublishedRecord publish(
      ExecutionKind kind,
      String id,
      byte[] value,
      Instant at,
      String eventType,
      @Nullable String traceparent,
      int partition,
      boolean recorded) {
    var start = System.nanoTime();
    try {
      var published =
          Traces.part(
              SpanKind.KAFKA,
              "publish",
              eventType,
              () -> kafka.publish(record(kind, id, value, at, traceparent, partition, recorded)));
      note(kind, id, eventType, published, start);
      return published;
    } catch (KafkaException refused) {
      failures.increment();
      throw refused;
    }
  }

  /// The same without waiting: completes when the broker has the event, or with a [KafkaException].
  ///
  /// What is chained to it without an executor runs on the one thread that sends: keep it short.
  public CompletableFuture<PublishedRecord> send(
      ExecutionKind kind,
      String id,
      byte[] value,
      Instant at,
      String eventType,
      @Nullable String traceparent,
      int partition,
      boolean recorded) {
    var start = System.nanoTime();
    return kafka
        .send(record(kind, id, value, at, traceparent, partition, recorded))
        .whenComplete((published, refused) -> {
          if (refused == null) note(kind, id, eventType, published, start);
          else failures.increment();
        });
  }

  private static OutgoingRecord record(
      ExecutionKind kind,
      String id,
      byte[] value,
      Instant at,
      @Nullable String traceparent,
      int partition,
      boolean recorded) {
    var headers = new ArrayList<>(List.of(JSON, VERSION));
    if (traceparent != null) headers.add(KafkaHeader.of(ExecutionNames.TRACEPARENT, traceparent));
    if (recorded) headers.add(RECORDED);
    return new OutgoingRecord(
        kind.topic(),
        id.getBytes(UTF_8),
        headers,
        value,
        at,
        partition == BY_KEY ? null : partition);
  }

  private void note(
      ExecutionKind kind, String id, String eventType, PublishedRecord published, long start) {
    timer.record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
    counters.computeIfAbsent(eventType, this::counter).increment();
    log.atInfo()
        .addKeyValue("topic", published.topic())
        .addKeyValue("eventType", eventType)
        .addKeyValue(kind.idField(), id)
        .addKeyValue("partition", published.partition())
        .addKeyValue("offset", published.offset())
        .log("Event published");
  }

  private Counter counter(String eventType) {
    return Counter.builder("flow.events.published")
        .description("Events that the broker has confirmed")
        .tag("type", eventType)
        .register(metrics);
  }
}
