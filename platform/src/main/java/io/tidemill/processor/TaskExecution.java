package io.tidemill.processor;

import io.tidemill.api.TaskCall;
import io.tidemill.api.TaskType;
import io.tidemill.contract.workflow.ExecutionError;
import io.tidemill.contract.workflow.ExecutionEvent.TaskCreated;
import io.tidemill.contract.workflow.ExecutionEvent.TaskFailed;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.contract.workflow.WorkflowFields;
import io.tidemill.json.Json;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.workflow.ExecutionRecord;
import io.tidemill.workflow.Failures;
import io.tidemill.workflow.LeasedExecution;
import io.tidemill.workflow.Task;
import io.tidemill.workflow.TaskOutcome;
import io.tidemill.workflow.TaskTransition;
import java.time.Instant;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// One attempt at a task while this process holds it: done, another attempt later, or dead (C2.10).
final class TaskExecution extends Execution {
  private volatile @Nullable Task task;

  TaskExecution(Services services, LeasedExecution lease, BooleanSupplier isLeased) {
    super(services, lease, isLeased);
  }

  // Decoded on the thread of the execution: the hash may be long, and may be broken.
  private Task task() {
    var decoded = task;
    if (decoded == null) {
      decoded = Task.of(lease.hash());
      task = decoded;
    }
    return decoded;
  }

  @Override
  SpanKind spanKind() {
    return SpanKind.TASK;
  }

  @Override
  String title() {
    return lease.field(WorkflowFields.TYPE);
  }

  @Override
  void run() {
    publishRecorded();
    var status = task().status();
    var due = task().nextRetryAt();
    // The last holder died between the event of the next attempt and the end of its lease.
    if (status == ExecutionStatus.RETRYING && due != null && due.isAfter(now())) {
      releaseUntil(due);
      return;
    }
    if (!status.isTerminal()) attempt();
    if (task().status().isTerminal()) done();
  }

  private void attempt() {
    var type = services.capabilities().types().get(task().type());
    if (type == null) {
      apply(new TaskOutcome.FailedPermanent(unknownType()));
      return;
    }
    if (task().status() != ExecutionStatus.PROCESSING) apply(new TaskOutcome.Started());
    if (task().bookkeeping().takes() > services.config().maxTakes()) {
      apply(new TaskOutcome.TooManyTakes());
    } else {
      apply(call(type)); // outside of the call: a failure to write is not a failure of the task
    }
  }

  private TaskOutcome call(TaskType type) {
    try {
      var limit = services.config().taskTimeout();
      var attempt = task().retryCount() + 1;
      return new TaskOutcome.Done(
          call(
              limit,
              () ->
                  Traces.part(
                      SpanKind.TASK,
                      "attempt",
                      attempt,
                      () -> StepResults.checked(type.run(new Call())))));
    } catch (ExecutionStopped stopped) {
      throw stopped;
    } catch (Exception | Error thrown) {
      return failed(thrown);
    }
  }

  /// Decides, then records and publishes.
  private void apply(TaskOutcome outcome) {
    var before = task();
    var now = now();
    var transition = TaskTransition.after(before, outcome, now);
    var next = transition.next();
    task = next;
    record(transition);
    if (next.status() == ExecutionStatus.PROCESSING) return;
    var event = before.retryCount() == 0 ? TaskCreated.TYPE : TaskFailed.TYPE;
    var took = ExecutionRecord.millis(before.startedAt(), now);
    countProcessed(event, took, next.status() == ExecutionStatus.COMPLETED);
  }

  private TaskOutcome failed(Throwable thrown) {
    var failure = StepFailure.of(thrown, task().type());
    if (!Boolean.TRUE.equals(failure.retryable())) return new TaskOutcome.FailedPermanent(failure);
    var pause =
        services
            .retries()
            .before(task().retryCount() + 1, task().type(), ThreadLocalRandom.current());
    return new TaskOutcome.FailedTransient(failure, pause);
  }

  private ExecutionError unknownType() {
    var known = String.join(", ", new TreeSet<>(services.capabilities().types().keySet()));
    return Failures.permanent(
        ExecutionNames.UNKNOWN_TYPE,
        "task type '%s' is not known: expected one of %s".formatted(task().type(), known));
  }

  @Override
  void timedOut() {
    apply(failed(timeout()));
    if (task().status().isTerminal()) done();
  }

  private final class Call implements TaskCall {
    @Override
    public String id() {
      return TaskExecution.this.id();
    }

    @Override
    public ObjectNode data() {
      return task().created().data();
    }

    @Override
    public int retryCount() {
      return task().retryCount();
    }

    @Override
    public Instant createdAt() {
      return task().created().createdAt();
    }

    @Override
    public void progress(double fraction, String message) {
      TaskExecution.this.progress(fraction, message, Json.object());
    }
  }
}
