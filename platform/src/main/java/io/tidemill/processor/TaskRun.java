package io.tidemill.processor;

import io.tidemill.api.TaskCall;
import io.tidemill.api.TaskType;
import io.tidemill.contract.workflow.ExecutionCodec;
import io.tidemill.contract.workflow.ExecutionEvent.TaskCompleted;
import io.tidemill.contract.workflow.ExecutionEvent.TaskDeadLetter;
import io.tidemill.contract.workflow.ExecutionEvent.TaskFailed;
import io.tidemill.contract.workflow.ExecutionEvent.TaskProcessing;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.contract.workflow.ExecutionRecords;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.contract.workflow.ExecutionTime;
import io.tidemill.json.Json;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.workflow.ExecutionChange;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import tools.jackson.databind.node.ObjectNode;

/// One attempt at a task, and what follows from it: done, another attempt later, or dead (C2.10).
final class TaskRun implements ExecutionRunner.Run {
  /// What runs of tasks share.
  interface TaskTypes {
    Optional<TaskType> type(String name);

    String typeNames();

    RetrySchedule pauses();

    ProcessorConfig config();

    void ended(Execution flow, Duration took, boolean success);
  }

  private final TaskTypes kit;
  private final Execution flow;
  private Instant startedAt;

  TaskRun(TaskTypes kit, Execution flow) {
    this.kit = kit;
    this.flow = flow;
    startedAt = ExecutionTime.decode(flow.field("startedAt")).orElseGet(flow::now);
  }

  @Override
  public void run() {
    flow.sendLeftovers();
    if (isEarly()) flow.again(nextRetryAt(), new ExecutionChange());
    else if (flow.status().isTerminal() || work()) flow.done();
  }

  @Override
  public void late() {
    if (failed(StepFailure.of(flow.overtime(), flow.field("type")))) flow.done();
  }

  // Whoever held it died between the word of the next attempt and letting go of it.
  private boolean isEarly() {
    return flow.status() == ExecutionStatus.RETRYING && nextRetryAt().isAfter(flow.now());
  }

  private Instant nextRetryAt() {
    return ExecutionTime.decode(flow.field("nextRetryAt")).orElse(Instant.EPOCH);
  }

  /// Whether it is over.
  private boolean work() {
    var type = kit.type(flow.field("type"));
    if (type.isEmpty()) return dead(unknownType());
    begin();
    if (flow.takes() > kit.config().maxTakes()) {
      return dead(
          StepFailure.permanent(
              "PROCESS_DIED", "%d processes died over it".formatted(flow.takes() - 1)));
    }
    ObjectNode result;
    try {
      result =
          flow.work(
              kit.config().taskTimeout(),
              () -> Traces.part(SpanKind.TASK, "attempt", retryCount() + 1, () -> run(type.get())));
    } catch (ExecutionStopped stopped) {
      throw stopped;
    } catch (Exception | Error thrown) {
      return failed(StepFailure.of(thrown, flow.field("type")));
    }
    return completed(result); // not within: trouble with writing it down is none of the task's
  }

  private ObjectNode run(TaskType type) throws Exception {
    return StepResults.checked(type.run(new Call()));
  }

  private StepFailure unknownType() {
    return StepFailure.permanent(
        ExecutionNames.UNKNOWN_TYPE,
        "task type '%s' is not known: expected one of %s"
            .formatted(flow.field("type"), kit.typeNames()));
  }

  private void begin() {
    if (flow.status() == ExecutionStatus.PROCESSING) return; // resumed: everybody has been told
    startedAt = flow.now();
    var change =
        new ExecutionChange().status(ExecutionStatus.PROCESSING).remove("nextRetryAt", "progress");
    change.set("startedAt", ExecutionTime.encode(startedAt));
    flow.note(change, new TaskProcessing(flow.id(), startedAt, retryCount()));
  }

  private int retryCount() {
    return ExecutionRecords.number(flow.record(), "retryCount");
  }

  private int maxRetries() {
    return ExecutionRecords.number(flow.record(), "maxRetries");
  }

  private boolean completed(ObjectNode result) {
    var now = flow.now();
    var duration = duration(now);
    var change =
        end(ExecutionStatus.COMPLETED, now).set("result", Json.text(result)).remove("error");
    flow.save(change, new TaskCompleted(flow.id(), now, duration, result));
    kit.ended(flow, Duration.ofMillis(duration), true);
    return true;
  }

  private ExecutionChange end(ExecutionStatus status, Instant now) {
    return new ExecutionChange()
        .status(status)
        .set("completedAt", ExecutionTime.encode(now))
        .set("duration", String.valueOf(duration(now)))
        .remove("nextRetryAt", "progress");
  }

  private long duration(Instant now) {
    return Math.max(0, now.toEpochMilli() - startedAt.toEpochMilli());
  }

  private boolean failed(StepFailure failure) {
    if (!failure.retryable() || retryCount() >= maxRetries()) return dead(failure);
    var now = flow.now();
    var retry = retryCount() + 1;
    var pause = kit.pauses().before(retry, flow.field("type"), ThreadLocalRandom.current());
    var at = now.plus(pause);
    var event = new TaskFailed(flow.id(), now, retry, maxRetries(), failure.withRetryable(), at);
    // First written down and told, then let go: whoever takes it next finds nothing left to tell.
    flow.save(
        new ExecutionChange()
            .status(ExecutionStatus.RETRYING)
            .set("retryCount", String.valueOf(retry))
            .set("nextRetryAt", ExecutionTime.encode(at))
            .set("error", Json.text(ExecutionCodec.payload(event).get("error"))),
        event);
    flow.again(at, new ExecutionChange());
    kit.ended(flow, Duration.ofMillis(duration(now)), false);
    return false;
  }

  private boolean dead(StepFailure failure) {
    var now = flow.now();
    var created = ExecutionRecords.taskCreated(flow.record());
    var original = Json.object().put("eventType", created.type());
    original.set("payload", ExecutionCodec.payload(created));
    var event =
        new TaskDeadLetter(
            flow.id(), original, retryCount(), maxRetries(), failure.withStack(), now);
    var error = ExecutionCodec.payload(event).get("finalError");
    flow.save(end(ExecutionStatus.DEAD_LETTER, now).set("error", Json.text(error)), event);
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
      return ExecutionRecords.object(flow.record(), "data");
    }

    @Override
    public int retryCount() {
      return TaskRun.this.retryCount();
    }

    @Override
    public Instant createdAt() {
      return ExecutionTime.decode(flow.field("createdAt")).orElse(Instant.EPOCH);
    }

    @Override
    public void progress(double fraction, String message) {
      flow.progress(fraction, message, Json.object());
    }
  }
}
