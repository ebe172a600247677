package io.tidemill.gateway.workflow;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.content.fingerprint.Digest;
import io.tidemill.contract.workflow.ExecutionCodec;
import io.tidemill.contract.workflow.ExecutionError;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionForms;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.gateway.IdempotencyKeys;
import io.tidemill.http.Problem;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.json.Json;
import io.tidemill.kafka.KafkaException;
import io.tidemill.kafka.PublishedRecord;
import io.tidemill.observe.TraceParent;
import io.tidemill.observe.Traces;
import io.tidemill.redis.RedisException;
import io.tidemill.redis.StoreRetry;
import io.tidemill.service.Unavailable;
import io.tidemill.workflow.CreatedEventPublisher;
import io.tidemill.workflow.ExecutionStore;
import io.tidemill.workflow.ExecutionStore.Created;
import io.tidemill.workflow.NewExecution;
import io.tidemill.workflow.WorkflowsConfig;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/// Admits workflows or tasks: first the record, then the event, then the answer (C2.4, F06).
final class ExecutionSubmissions {
  private static final Logger log = LoggerFactory.getLogger(ExecutionSubmissions.class);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

  private final ExecutionShape shape;
  private final ExecutionStore store;
  private final CreatedEventPublisher events;
  private final WorkflowsConfig config;
  private final InstantSource clock;
  private final MeterRegistry metrics;

  ExecutionSubmissions(
      ExecutionShape shape,
      ExecutionStore store,
      CreatedEventPublisher events,
      WorkflowsConfig config,
      InstantSource clock,
      MeterRegistry metrics) {
    this.shape = shape;
    this.store = store;
    this.events = events;
    this.config = config;
    this.clock = clock;
    this.metrics = metrics;
  }

  /// Takes one in and answers with its id.
  Response submit(ExecutionEvent created, Request request, @Nullable String key) {
    var large = tooLarge(created);
    if (large != null) return large;
    var flow = NewExecution.of(created, origin(request));
    var body = key == null ? "" : digest(created);
    return switch (StoreRetry.answer(() -> store.create(flow, key, body))) {
      case Created.New() -> publish(flow);
      case Created.Known(_, var earlier) when !earlier.equals(body) -> conflict();
      case Created.Busy(var earlier) when !earlier.equals(body) -> conflict();
      case Created.Known(var id, _) -> repeated(id);
      case Created.Busy(_) -> busy();
      case Created.Full(var waiting) -> full(waiting);
    };
  }

  private @Nullable Response tooLarge(ExecutionEvent created) {
    var size = ExecutionShape.inputSize(created);
    if (size.getValue() <= config.maxInput().bytes()) return null;
    return Response.problem(
        413,
        "%s has %d bytes as compact JSON, %d at most"
            .formatted(size.getKey(), size.getValue(), config.maxInput().bytes()));
  }

  // Kept with the record, so that who publishes it again publishes the same.
  private static Map<String, String> origin(Request request) {
    var fields = new LinkedHashMap<String, String>();
    fields.put(CreatedEventPublisher.EVENT_ID, ExecutionNames.newEventId());
    Traces.current()
        .map(TraceParent::toString)
        .ifPresent(trace -> fields.put(CreatedEventPublisher.TRACEPARENT, trace));
    request
        .header("X-Correlation-ID")
        .filter(IdempotencyKeys::isKey)
        .ifPresent(id -> fields.put(CreatedEventPublisher.CORRELATION_ID, id));
    return fields;
  }

  private Response publish(NewExecution flow) {
    try {
      published(flow.id(), events.publish(shape.kind(), flow.fields()));
    } catch (KafkaException refused) {
      if (withdraw(flow.id(), flow.fields(), refused)) return turnedAway(refused);
    }
    count("accepted");
    return accepted(flow.id(), false);
  }

  /// Ends one that the broker did not take; false when a processor has read it after all: what was
  /// not confirmed may have arrived, and may even be at work by now (F07).
  boolean withdraw(String id, Map<String, String> record, KafkaException refused) {
    log.warn("{} {}: {}", shape.kind().wire(), id, refused.getMessage());
    count("unpublished");
    var now = clock.instant();
    var error = new ExecutionError(ExecutionNames.UNPUBLISHED, "the broker did not take the event");
    var end = shape.failed(record, error, now);
    var told = new ExecutionStore.Told(end.type(), ExecutionShape.told(end));
    return StoreRetry.answer(
        () -> store.withdraw(id, told, ExecutionShape.json(error), ExecutionShape.time(now)));
  }

  private Response turnedAway(KafkaException refused) {
    // Settings may let in more than the broker takes: trying again is of no use then (F08).
    if (refused.isTooLarge()) {
      return Response.problem(413, "the event is larger than the broker takes");
    }
    throw new Unavailable(
        "the " + shape.kind().wire() + " could not be handed to the broker; try again later",
        RETRY_AFTER,
        refused);
  }

  // If this is lost the reconciler publishes once more, and the processors know the id.
  private void published(String id, PublishedRecord there) {
    try {
      store.published(id, there.partition(), there.offset());
    } catch (RedisException silent) {
      log.debug("{} will be published again: {}", id, silent.getMessage());
    }
  }

  private Response accepted(String id, boolean idempotent) {
    Traces.about(shape.kind().wire(), id);
    var answer = Json.object().put(shape.kind().idField(), id);
    if (idempotent) answer.put("idempotent", true);
    else answer.put("status", ExecutionStatus.PENDING.wire());
    return Response.accepted(answer).withHeader("Location", shape.path(id));
  }

  private Response repeated(String id) {
    count("repeated");
    return accepted(id, true);
  }

  private Response conflict() {
    count("conflict");
    return Response.problem(422, "this Idempotency-Key was used for another body");
  }

  private Response busy() {
    count("busy");
    return IdempotencyKeys.busy();
  }

  private Response full(long waiting) {
    count("full");
    return Response.problem(
            Problem.of(429, "too many " + shape.plural() + " wait; try again later")
                .with("waiting", waiting)
                .with("max", config.maxWaiting()))
        .withHeader("Retry-After", "1");
  }

  /// Lets one begin again that failed or was canceled.
  Response again(String id, ExecutionForms.Again wish) {
    var record = StoreRetry.answer(() -> store.find(id));
    if (record.isEmpty()) return ExecutionRoutes.unknown(shape);
    var status = ExecutionStatus.of(record.get().getOrDefault("status", ""));
    if (status.filter(ExecutionStatus::isTerminal).isEmpty())
      return refused(status.orElseThrow().wire());
    ExecutionShape.Reset reset;
    try {
      reset = shape.reset(record.get(), wish);
    } catch (IllegalArgumentException impossible) {
      return Response.problem(422, String.valueOf(impossible.getMessage()));
    }
    var next = new LinkedHashMap<>(record.get());
    next.putAll(reset.fields());
    var created = shape.created(next);
    var large = tooLarge(created);
    return large == null ? begin(id, reset, created) : large;
  }

  private Response begin(String id, ExecutionShape.Reset reset, ExecutionEvent created) {
    reset.fields().put(CreatedEventPublisher.EVENT_ID, ExecutionNames.newEventId());
    reset.fields().put(CreatedEventPublisher.EVENT_AT, ExecutionShape.time(clock.instant()));
    var told = new ExecutionStore.Told(created.type(), ExecutionShape.told(created));
    var asked = new AtomicInteger();
    var answer =
        StoreRetry.answer(() -> {
          asked.incrementAndGet();
          return store.reset(id, told, reset.fields(), reset.removed());
        });
    // Asked twice because the first answer was lost: then this retry is the one that is found.
    var ours = asked.get() > 1 && answer.status().equals(ExecutionStatus.PENDING.wire());
    return switch (answer.what()) {
      case "reset" -> republish(id);
      case "not" -> ours ? republish(id) : refused(answer.status());
      case "gone" -> ExecutionRoutes.unknown(shape);
      default ->
          Response.problem(409, "its last event is not published yet; try again in a moment")
              .withHeader("Retry-After", "1");
    };
  }

  private Response republish(String id) {
    var record = StoreRetry.answer(() -> store.find(id)).orElse(Map.of());
    try {
      if (!record.isEmpty()) published(id, events.publish(shape.kind(), record));
    } catch (KafkaException refused) {
      if (refused.isTooLarge() && withdraw(id, record, refused)) return turnedAway(refused);
      log.warn("{} {}: {}", shape.kind().wire(), id, refused.getMessage());
      throw new Unavailable(
          "the broker is away; the %s is noted and begins again when it is back"
              .formatted(shape.kind().wire()),
          RETRY_AFTER,
          refused);
    }
    count("again");
    return accepted(id, false);
  }

  private Response refused(String status) {
    return Response.problem(
        Problem.of(
                409,
                "the %s is %s: only what has failed or was canceled begins again"
                    .formatted(shape.kind().wire(), status))
            .with("status_now", status));
  }

  // Equal for equal bodies, however they are written; ids and times are made here.
  private static String digest(ExecutionEvent created) {
    var payload = ExecutionCodec.payload(created);
    for (var made : new String[] {"workflowId", "taskId", "createdAt"}) payload.remove(made);
    return Digest.sha256().add(Json.text(sorted(payload))).hex();
  }

  private static Object sorted(JsonNode tree) {
    if (tree.isArray()) return tree.valueStream().map(ExecutionSubmissions::sorted).toList();
    if (!tree.isObject()) return tree;
    var members = new TreeMap<String, Object>();
    tree.properties().forEach(member -> members.put(member.getKey(), sorted(member.getValue())));
    return members;
  }

  private void count(String what) {
    metrics.counter("gateway.flows", "kind", shape.kind().wire(), "answer", what).increment();
  }
}
