package io.tidemill.workflow;

import static io.tidemill.contract.workflow.WorkflowFields.CORRELATION_ID;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.tidemill.contract.workflow.ExecutionCodec;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionEvent.TaskCreated;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowCreated;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionMessage;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.json.Json;
import io.tidemill.kafka.KafkaException;
import io.tidemill.kafka.KafkaHeader;
import io.tidemill.kafka.KafkaPublisher;
import io.tidemill.kafka.OutgoingRecord;
import io.tidemill.kafka.PublishedRecord;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.TraceParent;
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
import tools.jackson.databind.node.ObjectNode;

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

  /// Publishes the `created` event, made from the record alone: a repetition publishes the same
  /// event (F07).
  public PublishedRecord publishCreated(ExecutionKind kind, ExecutionRecord record) {
    var origin = record.bookkeeping();
    var at = origin.eventAt() == null ? createdAt(record.created()) : origin.eventAt();
    var eventId = origin.eventId() == null ? ExecutionNames.newEventId() : origin.eventId();
    var message = new ExecutionMessage(eventId, at, record.created(), metadata(origin));
    return publish(
        kind,
        record.id(),
        ExecutionCodec.encode(message),
        at,
        record.created().type(),
        origin.traceparent(),
        origin.partition() == null ? BY_KEY : origin.partition(),
        false);
  }

  private static Instant createdAt(ExecutionEvent created) {
    return switch (created) {
      case WorkflowCreated workflow -> workflow.createdAt();
      case TaskCreated task -> task.createdAt();
      default -> throw new IllegalArgumentException(created.type() + " creates nothing");
    };
  }

  private static ObjectNode metadata(Bookkeeping origin) {
    var metadata = gatewayMetadata();
    TraceParent.parse(origin.traceparent())
        .ifPresent(parsed -> metadata.put("traceId", parsed.traceId()));
    if (origin.correlationId() != null) metadata.put(CORRELATION_ID, origin.correlationId());
    return metadata;
  }

  /// The metadata of every event that a gateway publishes.
  public static ObjectNode gatewayMetadata() {
    return Json.object()
        .put("source", ExecutionNames.GATEWAY)
        .putNull("userId")
        .put("apiVersion", ExecutionNames.VERSION);
  }

  /// Returns when the broker has the event; throws a [KafkaException] when it has refused it or
  /// stayed silent.
  ///
  /// @param value the event as [io.tidemill.contract.workflow.ExecutionCodec] encodes it
  /// @param at the event's time
  /// @param partition that of its `created` event, or [#BY_KEY]: programs in other languages spread
  ///   keys differently, and the events of one workflow must stay together
  /// @param recorded whether the store has the change already, so that consumers of ours skip it
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
  /// Stages chained without an executor run on the sending thread: keep them short.
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
