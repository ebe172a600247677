package io.tidemill.processor;

import io.tidemill.contract.Json;
import io.tidemill.contract.flow.FlowCodec;
import io.tidemill.contract.flow.FlowEvent.TaskCompleted;
import io.tidemill.contract.flow.FlowEvent.TaskDeadLetter;
import io.tidemill.contract.flow.FlowEvent.TaskFailed;
import io.tidemill.contract.flow.FlowEvent.TaskProcessing;
import io.tidemill.contract.flow.FlowNames;
import io.tidemill.contract.flow.FlowRecords;
import io.tidemill.contract.flow.FlowStatus;
import io.tidemill.contract.flow.FlowTime;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.processor.api.TaskCall;
import io.tidemill.processor.api.TaskType;
import io.tidemill.store.redis.FlowChange;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import tools.jackson.databind.node.ObjectNode;

/// One attempt at a task, and what follows from it: done, another attempt later, or dead (C2.10).
final class TaskRun implements FlowRunner.Run {
  /// What runs of tasks share.
  interface Kit {
    Optional<TaskType> type(String name);

    String typeNames();

    RetryPauses pauses();

    ProcessorConfig config();

    void ended(RunningFlow flow, Duration took, boolean success);
  }

  private final Kit kit;
  private final RunningFlow flow;
  private Instant startedAt;

  TaskRun(Kit kit, RunningFlow flow) {
    this.kit = kit;
    this.flow = flow;
    startedAt = FlowTime.decode(flow.field("startedAt")).orElseGet(flow::now);
  }

  @Override
  public void run() {
    flow.sendLeftovers();
    if (isEarly()) flow.again(nextRetryAt(), new FlowChange());
    else if (flow.status().isTerminal() || work()) flow.done();
  }

  @Override
  public void late() {
    if (failed(Failure.of(flow.overtime(), flow.field("type")))) flow.done();
  }

  // Whoever held it died between the word of the next attempt and letting go of it.
  private boolean isEarly() {
    return flow.status() == FlowStatus.RETRYING && nextRetryAt().isAfter(flow.now());
  }

  private Instant nextRetryAt() {
    return FlowTime.decode(flow.field("nextRetryAt")).orElse(Instant.EPOCH);
  }

  /// Whether it is over.
  private boolean work() {
    var type = kit.type(flow.field("type"));
    if (type.isEmpty()) return dead(unknownType());
    begin();
    if (flow.takes() > kit.config().maxTakes()) {
      return dead(
          Failure.permanent(
              "PROCESS_DIED", "%d processes died over it".formatted(flow.takes() - 1)));
    }
    ObjectNode result;
    try {
      result =
          flow.work(
              kit.config().taskTimeout(),
              () -> Traces.part(SpanKind.TASK, "attempt", retryCount() + 1, () -> run(type.get())));
    } catch (Stopped stopped) {
      throw stopped;
    } catch (Exception | Error thrown) {
      return failed(Failure.of(thrown, flow.field("type")));
    }
    return completed(result); // not within: trouble with writing it down is none of the task's
  }

  private ObjectNode run(TaskType type) throws Exception {
    return Results.checked(type.run(new Call()));
  }

  private Failure unknownType() {
    return Failure.permanent(
        FlowNames.UNKNOWN_TYPE,
        "task type '%s' is not known: expected one of %s"
            .formatted(flow.field("type"), kit.typeNames()));
  }

  private void begin() {
    if (flow.status() == FlowStatus.PROCESSING) return; // resumed: everybody has been told
    startedAt = flow.now();
    var change = new FlowChange().status(FlowStatus.PROCESSING).remove("nextRetryAt", "progress");
    change.set("startedAt", FlowTime.encode(startedAt));
    flow.note(change, new TaskProcessing(flow.id(), startedAt, retryCount()));
  }

  private int retryCount() {
    return FlowRecords.number(flow.record(), "retryCount");
  }

  private int maxRetries() {
    return FlowRecords.number(flow.record(), "maxRetries");
  }

  private boolean completed(ObjectNode result) {
    var now = flow.now();
    var duration = duration(now);
    var change = end(FlowStatus.COMPLETED, now).set("result", Json.text(result)).remove("error");
    flow.save(change, new TaskCompleted(flow.id(), now, duration, result));
    kit.ended(flow, Duration.ofMillis(duration), true);
    return true;
  }

  private FlowChange end(FlowStatus status, Instant now) {
    return new FlowChange()
        .status(status)
        .set("completedAt", FlowTime.encode(now))
        .set("duration", String.valueOf(duration(now)))
        .remove("nextRetryAt", "progress");
  }

  private long duration(Instant now) {
    return Math.max(0, now.toEpochMilli() - startedAt.toEpochMilli());
  }

  private boolean failed(Failure failure) {
    if (!failure.retryable() || retryCount() >= maxRetries()) return dead(failure);
    var now = flow.now();
    var retry = retryCount() + 1;
    var pause = kit.pauses().before(retry, flow.field("type"), ThreadLocalRandom.current());
    var at = now.plus(pause);
    var event = new TaskFailed(flow.id(), now, retry, maxRetries(), failure.withRetryable(), at);
    // First written down and told, then let go: whoever takes it next finds nothing left to tell.
    flow.save(
        new FlowChange()
            .status(FlowStatus.RETRYING)
            .set("retryCount", String.valueOf(retry))
            .set("nextRetryAt", FlowTime.encode(at))
            .set("error", Json.text(FlowCodec.payload(event).get("error"))),
        event);
    flow.again(at, new FlowChange());
    kit.ended(flow, Duration.ofMillis(duration(now)), false);
    return false;
  }

  private boolean dead(Failure failure) {
    var now = flow.now();
    var created = FlowRecords.taskCreated(flow.record());
    var original = Json.object().put("eventType", created.type());
    original.set("payload", FlowCodec.payload(created));
    var event =
        new TaskDeadLetter(
            flow.id(), original, retryCount(), maxRetries(), failure.withStack(), now);
    var error = FlowCodec.payload(event).get("finalError");
    flow.save(end(FlowStatus.DEAD_LETTER, now).set("error", Json.text(error)), event);
    kit.ended(flow, Duration.ofMillis(duration(now)), false);
    return true;
  }

  private final class Call implements TaskCall {
    @Override
    public String id() {
      return flow.id();
    }

    @Override
    public ObjectNode data() {
      return FlowRecords.object(flow.record(), "data");
    }

    @Override
    public int retryCount() {
      return TaskRun.this.retryCount();
    }

    @Override
    public Instant createdAt() {
      return FlowTime.decode(flow.field("createdAt")).orElse(Instant.EPOCH);
    }

    @Override
    public void progress(double fraction, String message) {
      flow.progress(fraction, message, Json.object());
    }
  }
}
