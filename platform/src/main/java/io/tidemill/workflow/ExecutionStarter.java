package io.tidemill.workflow;

import static io.tidemill.contract.workflow.WorkflowFields.CORRELATION_ID;
import static io.tidemill.contract.workflow.WorkflowFields.CREATED_AT;
import static io.tidemill.contract.workflow.WorkflowFields.DATA;
import static io.tidemill.contract.workflow.WorkflowFields.EVENT_AT;
import static io.tidemill.contract.workflow.WorkflowFields.EVENT_ID;
import static io.tidemill.contract.workflow.WorkflowFields.INPUT;
import static io.tidemill.contract.workflow.WorkflowFields.TASK_ID;
import static io.tidemill.contract.workflow.WorkflowFields.TRACEPARENT;
import static io.tidemill.contract.workflow.WorkflowFields.WORKFLOW_ID;
import static java.util.Objects.requireNonNull;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.content.fingerprint.Digest;
import io.tidemill.contract.workflow.ExecutionCodec;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionEvent.TaskCreated;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowCreated;
import io.tidemill.contract.workflow.ExecutionForms;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.contract.workflow.ExecutionTime;
import io.tidemill.json.Json;
import io.tidemill.kafka.KafkaException;
import io.tidemill.kafka.PublishedRecord;
import io.tidemill.observe.TraceParent;
import io.tidemill.observe.Traces;
import io.tidemill.redis.RedisException;
import io.tidemill.redis.StoreRetry;
import io.tidemill.workflow.ExecutionStore.Created;
import io.tidemill.workflow.ExecutionStore.FollowerEvent;
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
import tools.jackson.databind.node.ObjectNode;

/// Starts workflows or tasks, each once, and lets them begin again: first the record, then the
/// event (C2.4, F06).
public final class ExecutionStarter {
  private static final Logger log = LoggerFactory.getLogger(ExecutionStarter.class);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(2);
  private static final Duration RETRY_SOON = Duration.ofSeconds(1);

  private final ExecutionKind kind;
  private final ExecutionStore store;
  private final ExecutionPublisher events;
  private final WorkflowsConfig config;
  private final InstantSource clock;
  private final MeterRegistry metrics;

  public ExecutionStarter(
      ExecutionStore store,
      ExecutionPublisher events,
      WorkflowsConfig config,
      InstantSource clock,
      MeterRegistry metrics) {
    this.kind = store.kind();
    this.store = store;
    this.events = events;
    this.config = config;
    this.clock = clock;
    this.metrics = metrics;
  }

  /// Starts one for a waiting client: it ends when the broker does not take its event. Throws
  /// [Unavailable] when the store does not answer.
  ///
  /// @param idempotencyKey the same key with an equal event again starts no second one
  /// @param correlationId goes into the event's metadata
  public ExecutionStart start(
      ExecutionEvent created, @Nullable String idempotencyKey, @Nullable String correlationId) {
    var large = tooLarge(created);
    if (large != null) return large;
    var execution = NewExecution.of(created, origin(correlationId));
    var body = idempotencyKey == null ? "" : digest(created);
    return switch (StoreRetry.answer(() -> store.create(execution, idempotencyKey, body))) {
      case Created.New() -> publish(execution);
      case Created.Known(_, var earlier) when !earlier.equals(body) -> conflict();
      case Created.Busy(var earlier) when !earlier.equals(body) -> conflict();
      case Created.Known(var id, _) -> {
        Traces.about(kind.wire(), id);
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
    return switch (created) {
      case WorkflowCreated workflow -> tooLarge(INPUT, workflow.input());
      case TaskCreated task -> tooLarge(DATA, task.data());
      default -> null;
    };
  }

  private ExecutionStart.@Nullable InputTooLarge tooLarge(String field, @Nullable ObjectNode tree) {
    var bytes = tree == null ? 0 : Json.bytes(tree).length;
    var most = config.maxInput().bytes();
    return bytes <= most ? null : new ExecutionStart.InputTooLarge(field, bytes, most);
  }

  // Kept with the record, so that a repeated publication is the same event.
  private static Map<String, String> origin(@Nullable String correlationId) {
    var fields = new LinkedHashMap<String, String>();
    fields.put(EVENT_ID, ExecutionNames.newEventId());
    Traces.current().map(TraceParent::toString).ifPresent(trace -> fields.put(TRACEPARENT, trace));
    if (correlationId != null) fields.put(CORRELATION_ID, correlationId);
    return fields;
  }

  private ExecutionStart publish(NewExecution execution) {
    var record = ExecutionRecord.of(kind, execution.fields());
    try {
      published(execution.id(), events.publishCreated(kind, record));
    } catch (KafkaException refused) {
      if (withdraw(record, refused)) {
        // The settings may allow more than the broker takes.
        return refused.isTooLarge()
            ? new ExecutionStart.EventTooLarge(refused)
            : new ExecutionStart.NotPublished(refused, RETRY_AFTER);
      }
    }
    return accepted("accepted", execution.id());
  }

  private ExecutionStart.Accepted accepted(String answer, String id) {
    Traces.about(kind.wire(), id);
    return counted(answer, new ExecutionStart.Accepted(id));
  }

  /// Starts one under its own id, for work that is repeated until it succeeds: the same id again
  /// starts no second one, whichever process repeats it. When the broker is away the record stays,
  /// and the caller or a gateway publishes the event later. Throws [RedisException] when the store
  /// does not answer.
  public ExecutionStart.WithId start(ExecutionEvent created) {
    var large = tooLarge(created);
    if (large != null) return large;
    var id = created.id();
    var earlier = store.load(id);
    if (earlier.filter(ExecutionStarter::isUnderWay).isPresent()) {
      return new ExecutionStart.Repeated(id);
    }
    var execution = NewExecution.of(created, origin(null));
    if (store.create(execution, null, "") instanceof Created.Full(var waiting))
      return full(waiting);
    // From the record: a repeated publication is the same event (F07).
    var record = store.load(id).orElseGet(() -> ExecutionRecord.of(kind, execution.fields()));
    try {
      published(id, events.publishCreated(kind, record));
    } catch (KafkaException refused) {
      return refused.isTooLarge()
          ? new ExecutionStart.EventTooLarge(refused)
          : new ExecutionStart.NotPublished(refused, RETRY_AFTER);
    }
    return new ExecutionStart.Accepted(id);
  }

  private static boolean isUnderWay(ExecutionRecord record) {
    return record.bookkeeping().partition() != null || record.status() != ExecutionStatus.PENDING;
  }

  /// Ends one that the broker did not take; false when a processor has read it after all: what was
  /// not confirmed may have arrived, and may even be at work by now (F07).
  public boolean withdraw(ExecutionRecord record, KafkaException refused) {
    log.warn("{} {}: {}", kind.wire(), record.id(), refused.getMessage());
    count("unpublished");
    var now = clock.instant();
    var transition = record.unpublished(now);
    var last = transition.events().getFirst();
    var error = Json.text(requireNonNull(transition.next().ending().error()));
    return StoreRetry.answer(() -> store.withdraw(record.id(), last, error, now));
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
  public ExecutionRetry retry(String id, ExecutionForms.Again again) {
    if (!ExecutionNames.isId(id)) return new ExecutionRetry.Unknown();
    var record = StoreRetry.answer(() -> store.load(id)).orElse(null);
    if (record == null) return new ExecutionRetry.Unknown();
    if (!record.status().isTerminal()) return new ExecutionRetry.NotEnded(record.status().wire());
    Restart restart;
    try {
      restart = Restart.of(record, again);
    } catch (IllegalArgumentException impossible) {
      return new ExecutionRetry.Impossible(String.valueOf(impossible.getMessage()));
    }
    var large = tooLarge(restart.created());
    return large == null ? restart(id, restart) : large;
  }

  private ExecutionRetry restart(String id, Restart restart) {
    var fields = new LinkedHashMap<>(restart.fields());
    fields.put(EVENT_ID, ExecutionNames.newEventId());
    fields.put(EVENT_AT, ExecutionTime.encode(clock.instant()));
    var event = FollowerEvent.of(restart.created());
    var asked = new AtomicInteger();
    var answer =
        StoreRetry.answer(() -> {
          asked.incrementAndGet();
          return store.reset(id, event, fields, restart.removed());
        });
    // Asked twice because the first answer was lost: then this retry is the one that is found.
    var ours = asked.get() > 1 && answer.status().equals(ExecutionStatus.PENDING.wire());
    return switch (answer.what()) {
      case RESET -> republish(id);
      case NOT -> ours ? republish(id) : new ExecutionRetry.NotEnded(answer.status());
      case GONE -> new ExecutionRetry.Unknown();
      case ENDING -> new ExecutionRetry.Unsettled(RETRY_SOON);
    };
  }

  private ExecutionRetry republish(String id) {
    var record = StoreRetry.answer(() -> store.load(id)).orElse(null);
    try {
      if (record != null) published(id, events.publishCreated(kind, record));
    } catch (KafkaException refused) {
      if (refused.isTooLarge() && record != null && withdraw(record, refused)) {
        return new ExecutionStart.EventTooLarge(refused);
      }
      log.warn("{} {}: {}", kind.wire(), id, refused.getMessage());
      return new ExecutionRetry.Postponed(refused, RETRY_AFTER);
    }
    return accepted("again", id);
  }

  // Equal for equal bodies, however they are written; ids and times are made here.
  private static String digest(ExecutionEvent created) {
    var payload = ExecutionCodec.payload(created);
    for (var made : new String[] {WORKFLOW_ID, TASK_ID, CREATED_AT}) payload.remove(made);
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
    metrics.counter("gateway.flows", "kind", kind.wire(), "answer", what).increment();
  }
}
