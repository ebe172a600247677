package io.tidemill.workflow;

import static io.tidemill.contract.workflow.WorkflowFields.PROGRESS;

import io.tidemill.contract.workflow.ExecutionCodec;
import io.tidemill.contract.workflow.ExecutionError;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionEvent.TaskCompleted;
import io.tidemill.contract.workflow.ExecutionEvent.TaskDeadLetter;
import io.tidemill.contract.workflow.ExecutionEvent.TaskFailed;
import io.tidemill.contract.workflow.ExecutionEvent.TaskProcessing;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.json.Json;
import io.tidemill.workflow.Transition.Write;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// The state machine of a task (C2.10): pure, and total over [TaskOutcome].
public final class TaskTransition {
  private TaskTransition() {}

  public static Transition<Task> after(Task task, TaskOutcome outcome, Instant now) {
    return switch (outcome) {
      case TaskOutcome.Started() -> {
        var event = new TaskProcessing(task.id(), now, task.retryCount());
        yield transition(task, task.started(now), event, Transition.DEFERRED);
      }
      case TaskOutcome.Done(var result) -> done(task, result, now);
      case TaskOutcome.FailedTransient(var failure, var pause)
          when task.retryCount() < task.created().maxRetries() ->
          retried(task, failure, now, now.plus(pause));
      case TaskOutcome.FailedTransient failed -> dead(task, failed.failure(), now);
      case TaskOutcome.FailedPermanent(var failure) -> dead(task, failure, now);
      case TaskOutcome.TooManyTakes() ->
          dead(task, Failures.tooManyTakes(task.bookkeeping().takes()), now);
      case TaskOutcome.Canceled(var reason) ->
          aborted(
              task,
              ExecutionStatus.CANCELED,
              new ExecutionError(ExecutionNames.CANCELED, reason),
              now);
      case TaskOutcome.Unpublished() ->
          aborted(task, ExecutionStatus.FAILED, Failures.UNPUBLISHED, now);
    };
  }

  // Progress is written while an attempt runs, so the record does not know whether there is any.
  private static Transition<Task> transition(
      Task before, Task next, ExecutionEvent event, Write write) {
    var change = next.since(before);
    if (next.status() != ExecutionStatus.RETRYING) change.remove(PROGRESS);
    return new Transition<>(next, change, List.of(event), write);
  }

  private static Transition<Task> done(Task task, ObjectNode result, Instant now) {
    var end = task.ending().at(task.startedAt(), now).withResult(result);
    var duration = ExecutionRecord.millis(task.startedAt(), now);
    return transition(
        task,
        task.ended(ExecutionStatus.COMPLETED, end),
        new TaskCompleted(task.id(), now, duration, result),
        Transition.IMMEDIATE);
  }

  private static Transition<Task> retried(
      Task task, ExecutionError failure, Instant now, Instant at) {
    var retry = task.retryCount() + 1;
    var event =
        new TaskFailed(
            task.id(),
            now,
            retry,
            task.created().maxRetries(),
            Failures.withRetryable(failure),
            at);
    var end = task.ending().withError(ExecutionCodec.payload(event).get("error"));
    return transition(task, task.retrying(retry, at, end), event, new Write.Release(at));
  }

  private static Transition<Task> dead(Task task, ExecutionError failure, Instant now) {
    var event = deadLetter(task, Failures.withStack(failure), now);
    var error = ExecutionCodec.payload(event).get("finalError");
    var end = task.ending().at(task.startedAt(), now).withError(error);
    return transition(
        task, task.ended(ExecutionStatus.DEAD_LETTER, end), event, Transition.IMMEDIATE);
  }

  private static TaskDeadLetter deadLetter(Task task, ExecutionError error, Instant now) {
    var original = Json.object().put("eventType", task.created().type());
    original.set("payload", ExecutionCodec.payload(task.created()));
    return new TaskDeadLetter(
        task.id(), original, task.retryCount(), task.created().maxRetries(), error, now);
  }

  // Ends outside of a processor: the scripts decide which end is the first, and write this one.
  private static Transition<Task> aborted(
      Task task, ExecutionStatus how, ExecutionError error, Instant now) {
    var end = task.ending().at(task.startedAt(), now).withError(Failures.json(error));
    return transition(
        task, task.ended(how, end), deadLetter(task, error, now), Transition.IMMEDIATE);
  }
}
