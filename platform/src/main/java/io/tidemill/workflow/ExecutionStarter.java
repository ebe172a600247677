package io.tidemill.workflow;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.content.fingerprint.Digest;
import io.tidemill.contract.workflow.ExecutionCodec;
import io.tidemill.contract.workflow.ExecutionError;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionForms;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.json.Json;
import io.tidemill.kafka.KafkaException;
import io.tidemill.kafka.PublishedRecord;
import io.tidemill.observe.TraceParent;
import io.tidemill.observe.Traces;
import io.tidemill.redis.RedisException;
import io.tidemill.redis.StoreRetry;
import io.tidemill.workflow.ExecutionStore.Created;
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

/// Starts workflows or tasks, each once, and lets them begin again: first the record, then the
/// event (C2.4, F06).
public final class ExecutionStarter {
  private static final Logger log = LoggerFactory.getLogger(ExecutionStarter.class);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(2);
  private static final Duration RETRY_SOON = Duration.ofSeconds(1);

  private final ExecutionShape shape;
  private final ExecutionStore store;
  private final CreatedEventPublisher events;
  private final WorkflowsConfig config;
  private final InstantSource clock;
  private final MeterRegistry metrics;

  public ExecutionStarter(
      ExecutionStore store,
      CreatedEventPublisher events,
      WorkflowsConfig config,
      InstantSource clock,
      MeterRegistry metrics) {
    this.shape = new ExecutionShape(store.kind());
    this.store = store;
    this.events = events;
    this.config = config;
    this.clock = clock;
    this.metrics = metrics;
  }

  /// Starts one for somebody who waits: when the broker does not take its event, it is over. Throws
  /// [Unavailable] when the store does not answer.
  ///
  /// @param idempotencyKey the same key with an equal event again starts no second one
  /// @param correlationId goes into the event's metadata
  public ExecutionStart start(
      ExecutionEvent created, @Nullable String idempotencyKey, @Nullable String correlationId) {
    var large = tooLarge(created);
    if (large != null) return large;
    var flow = NewExecution.of(created, origin(correlationId));
    var body = idempotencyKey == null ? "" : digest(created);
    return switch (StoreRetry.answer(() -> store.create(flow, idempotencyKey, body))) {
      case Created.New() -> publish(flow);
      case Created.Known(_, var earlier) when !earlier.equals(body) -> conflict();
      case Created.Busy(var earlier) when !earlier.equals(body) -> conflict();
      case Created.Known(var id, _) -> {
        Traces.about(shape.kind().wire(), id);
        yield counted("repeated", new ExecutionStart.Repeated(id));
      }
      case Created.Busy(_) -> counted("busy", new ExecutionStart.Busy());
      case Created.Full(var waiting) -> counted("full", full(waiting));
    };
  }

  private ExecutionStart conflict() {
    return counted("conflict", new ExecutionStart.Conflict());
  }

  private ExecutionStart.QueueFull full(long waiting) {
    return new ExecutionStart.QueueFull(waiting, config.maxWaiting(), RETRY_SOON);
  }

  private ExecutionStart.@Nullable InputTooLarge tooLarge(ExecutionEvent created) {
    var size = ExecutionShape.inputSize(created);
    var most = config.maxInput().bytes();
    return size.getValue() <= most
        ? null
        : new ExecutionStart.InputTooLarge(size.getKey(), size.getValue(), most);
  }

  // Kept with the record, so that who publishes it again publishes the same.
  private static Map<String, String> origin(@Nullable String correlationId) {
    var fields = new LinkedHashMap<String, String>();
    fields.put(CreatedEventPublisher.EVENT_ID, ExecutionNames.newEventId());
    Traces.current()
        .map(TraceParent::toString)
        .ifPresent(trace -> fields.put(CreatedEventPublisher.TRACEPARENT, trace));
    if (correlationId != null) fields.put(CreatedEventPublisher.CORRELATION_ID, correlationId);
    return fields;
  }

  private ExecutionStart publish(NewExecution flow) {
    try {
      published(flow.id(), events.publish(shape.kind(), flow.fields()));
    } catch (KafkaException refused) {
      if (withdraw(flow.id(), flow.fields(), refused)) {
        // Settings may let in more than the broker takes.
        return refused.isTooLarge()
            ? new ExecutionStart.EventTooLarge(refused)
            : new ExecutionStart.NotPublished(refused, RETRY_AFTER);
      }
    }
    return accepted("accepted", flow.id());
  }

  private ExecutionStart.Accepted accepted(String answer, String id) {
    Traces.about(shape.kind().wire(), id);
    return counted(answer, new ExecutionStart.Accepted(id));
  }

  /// Starts one under its own id, for work that is repeated until it succeeds: the same id again
  /// starts no second one, however often and by whom it is repeated. When the broker is away it
  /// stays noted, and whoever comes first publishes it, the caller or a gateway. Throws
  /// [RedisException] when the store does not answer.
  public ExecutionStart.WithId start(ExecutionEvent created) {
    var large = tooLarge(created);
    if (large != null) return large;
    var id = created.id();
    var earlier = store.find(id);
    if (earlier.filter(ExecutionStarter::isUnderWay).isPresent()) {
      return new ExecutionStart.Repeated(id);
    }
    var flow = NewExecution.of(created, origin(null));
    if (store.create(flow, null, "") instanceof Created.Full(var waiting)) return full(waiting);
    // From the record: whoever publishes it again publishes the same event (F07).
    var record = store.find(id).orElse(flow.fields());
    try {
      published(id, events.publish(shape.kind(), record));
    } catch (KafkaException refused) {
      return refused.isTooLarge()
          ? new ExecutionStart.EventTooLarge(refused)
          : new ExecutionStart.NotPublished(refused, RETRY_AFTER);
    }
    return new ExecutionStart.Accepted(id);
  }

  private static boolean isUnderWay(Map<String, String> record) {
    return record.containsKey("partition")
        || !record.getOrDefault("status", "").equals(ExecutionStatus.PENDING.wire());
  }

  /// Ends one that the broker did not take; false when a processor has read it after all: what was
  /// not confirmed may have arrived, and may even be at work by now (F07).
  public boolean withdraw(String id, Map<String, String> record, KafkaException refused) {
    log.warn("{} {}: {}", shape.kind().wire(), id, refused.getMessage());
    count("unpublished");
    var now = clock.instant();
    var error = new ExecutionError(ExecutionNames.UNPUBLISHED, "the broker did not take the event");
    var end = shape.failed(record, error, now);
    var told = new ExecutionStore.FollowerEvent(end.type(), ExecutionShape.eventData(end));
    return StoreRetry.answer(
        () -> store.withdraw(id, told, ExecutionShape.json(error), ExecutionShape.time(now)));
  }

  // If this is lost the reconciler publishes once more, and the processors know the id.
  private void published(String id, PublishedRecord there) {
    try {
      store.published(id, there.partition(), there.offset());
    } catch (RedisException silent) {
      log.debug("{} will be published again: {}", id, silent.getMessage());
    }
  }

  /// Lets one begin again that failed or was canceled. Throws [Unavailable] when the store does not
  /// answer.
  public ExecutionRetry retry(String id, ExecutionForms.Again wish) {
    if (!ExecutionNames.isId(id)) return new ExecutionRetry.Unknown();
    var record = StoreRetry.answer(() -> store.find(id));
    if (record.isEmpty()) return new ExecutionRetry.Unknown();
    var status = ExecutionStatus.of(record.get().getOrDefault("status", ""));
    if (status.filter(ExecutionStatus::isTerminal).isEmpty()) {
      return new ExecutionRetry.NotEnded(status.orElseThrow().wire());
    }
    ExecutionShape.Reset reset;
    try {
      reset = shape.reset(record.get(), wish);
    } catch (IllegalArgumentException impossible) {
      return new ExecutionRetry.Impossible(String.valueOf(impossible.getMessage()));
    }
    var next = new LinkedHashMap<>(record.get());
    next.putAll(reset.fields());
    var created = shape.created(next);
    var large = tooLarge(created);
    return large == null ? restart(id, reset, created) : large;
  }

  private ExecutionRetry restart(String id, ExecutionShape.Reset reset, ExecutionEvent created) {
    reset.fields().put(CreatedEventPublisher.EVENT_ID, ExecutionNames.newEventId());
    reset.fields().put(CreatedEventPublisher.EVENT_AT, ExecutionShape.time(clock.instant()));
    var told = new ExecutionStore.FollowerEvent(created.type(), ExecutionShape.eventData(created));
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
      case "not" -> ours ? republish(id) : new ExecutionRetry.NotEnded(answer.status());
      case "gone" -> new ExecutionRetry.Unknown();
      default -> new ExecutionRetry.Unsettled(RETRY_SOON);
    };
  }

  private ExecutionRetry republish(String id) {
    var record = StoreRetry.answer(() -> store.find(id)).orElse(Map.of());
    try {
      if (!record.isEmpty()) published(id, events.publish(shape.kind(), record));
    } catch (KafkaException refused) {
      if (refused.isTooLarge() && withdraw(id, record, refused)) {
        return new ExecutionStart.EventTooLarge(refused);
      }
      log.warn("{} {}: {}", shape.kind().wire(), id, refused.getMessage());
      return new ExecutionRetry.Postponed(refused, RETRY_AFTER);
    }
    return accepted("again", id);
  }

  // Equal for equal bodies, however they are written; ids and times are made here.
  private static String digest(ExecutionEvent created) {
    var payload = ExecutionCodec.payload(created);
    for (var made : new String[] {"workflowId", "taskId", "createdAt"}) payload.remove(made);
    return Digest.sha256().add(Json.text(sorted(payload))).hex();
  }

  private static Object sorted(JsonNode tree) {
    if (tree.isArray()) return tree.valueStream().map(ExecutionStarter::sorted).toList();
    if (!tree.isObject()) return tree;
    var members = new TreeMap<String, Object>();
    tree.properties().forEach(member -> members.put(member.getKey(), sorted(member.getValue())));
    return members;
  }

  private <T extends ExecutionStart> T counted(String answer, T result) {
    count(answer);
    return result;
  }

  private void count(String what) {
    metrics.counter("gateway.flows", "kind", shape.kind().wire(), "answer", what).increment();
  }
}
