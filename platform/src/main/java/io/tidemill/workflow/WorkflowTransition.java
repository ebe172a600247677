package io.tidemill.workflow;

import static io.tidemill.contract.workflow.WorkflowFields.FAILED;
import static io.tidemill.contract.workflow.WorkflowFields.LEFT;
import static io.tidemill.contract.workflow.WorkflowFields.PROGRESS;
import static io.tidemill.contract.workflow.WorkflowFields.TOTAL;
import static io.tidemill.contract.workflow.WorkflowFields.WORKFLOW_ID;

import io.tidemill.api.StepOutcome.Counts;
import io.tidemill.contract.workflow.ExecutionCodec;
import io.tidemill.contract.workflow.ExecutionError;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionEvent.StepCompleted;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowCompleted;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowFailed;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowProcessing;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.contract.workflow.ExecutionTime;
import io.tidemill.contract.workflow.WorkflowFields;
import io.tidemill.json.Json;
import io.tidemill.workflow.Transition.Write;
import io.tidemill.workflow.Workflow.CurrentStep;
import io.tidemill.workflow.Workflow.Output;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The state machine of a workflow (C2.7): pure, and total over [WorkflowOutcome].
public final class WorkflowTransition {
  private WorkflowTransition() {}

  public static Transition<Workflow> after(
      Workflow workflow, WorkflowOutcome outcome, Instant now) {
    return switch (outcome) {
      case WorkflowOutcome.Started() -> started(workflow, now);
      case WorkflowOutcome.StepDone done when workflow.isInLastStep() ->
          completed(workflow, done, now);
      case WorkflowOutcome.StepDone done -> stepDone(workflow, done, now);
      case WorkflowOutcome.StepWaits(var state, var pause) -> {
        var at = now.plus(pause);
        var next = workflow.with(workflow.status(), workflow.step().waiting(state, at));
        yield transition(workflow, next, List.of(), new Write.Release(at));
      }
      case WorkflowOutcome.StepFailedTransient(var failure, var maxAttempts, var pause)
          when workflow.step().failures() + 1 < maxAttempts ->
          retried(workflow, failure, now.plus(pause));
      case WorkflowOutcome.StepFailedTransient failed -> failed(workflow, failed.failure(), now);
      case WorkflowOutcome.StepFailedPermanent(var failure) -> failed(workflow, failure, now);
      case WorkflowOutcome.StepRejected(var index, var failure) ->
          failed(workflow, workflow.at(index), failure, now);
      case WorkflowOutcome.TooManyTakes() ->
          failed(workflow, Failures.tooManyTakes(workflow.bookkeeping().takes()), now);
      case WorkflowOutcome.Canceled(var reason) ->
          aborted(
              workflow,
              ExecutionStatus.CANCELED,
              new ExecutionError(ExecutionNames.CANCELED, reason),
              now);
      case WorkflowOutcome.Unpublished() ->
          aborted(workflow, ExecutionStatus.FAILED, Failures.UNPUBLISHED, now);
    };
  }

  private static Transition<Workflow> transition(
      Workflow before, Workflow next, List<ExecutionEvent> events, Write write) {
    return new Transition<>(next, next.since(before), events, write);
  }

  private static Transition<Workflow> started(Workflow workflow, Instant now) {
    var index = workflow.stepIndex();
    var step = workflow.at(index).step();
    var current =
        new CurrentStep(
            step.index(), step.name(), now, step.failures(), step.nextAttemptAt(), step.state());
    var startedAt = workflow.startedAt() == null ? now : workflow.startedAt();
    var next = workflow.with(workflow.status(), current).started(startedAt, index);
    var event = new WorkflowProcessing(workflow.id(), now, workflow.stepName(), index);
    return transition(workflow, next, List.of(event), Transition.DEFERRED);
  }

  private static Transition<Workflow> stepDone(
      Workflow workflow, WorkflowOutcome.StepDone done, Instant now) {
    var event = stepCompleted(workflow, done, now);
    var index = workflow.stepIndex() + 1;
    var output = output(workflow.output(), done.output(), done.counts());
    var checkpoints = new TreeMap<>(workflow.checkpoints());
    checkpoints.put(workflow.stepIndex(), checkpoint(output));
    var step = new CurrentStep((long) index, workflow.steps().get(index), now, 0, null, null);
    var next = workflow.stepped(step, index, output, checkpoints);
    var write = done.isRepeatable() ? Transition.DEFERRED : Transition.IMMEDIATE;
    return withResult(transition(workflow, next, List.of(event), write), event);
  }

  private static StepCompleted stepCompleted(
      Workflow workflow, WorkflowOutcome.StepDone done, Instant now) {
    return new StepCompleted(
        workflow.id(),
        workflow.stepName(),
        workflow.stepIndex(),
        now,
        ExecutionRecord.millis(workflow.step().startedAt(), now),
        done.result());
  }

  // Progress is written while a step runs, so the record does not know whether there is any.
  private static Transition<Workflow> withResult(Transition<Workflow> done, StepCompleted event) {
    var result = ExecutionCodec.payload(event).without(WORKFLOW_ID);
    done.change().set(WorkflowFields.step(event.stepIndex()), Json.text(result)).remove(PROGRESS);
    return done;
  }

  // The first step that counts gives the total; failures of all steps add up.
  private static Output output(Output before, ObjectNode last, Counts counts) {
    var stored = new ArrayList<>(before.stored());
    if (last.has("key") && !stored.contains(last)) stored.add(last);
    var total =
        before.total() == null && counts.total() > 0
            ? Long.valueOf(counts.total())
            : before.total();
    return new Output(last, stored, total, count(before.failed()) + counts.failed());
  }

  private static long count(@Nullable Long count) {
    return count == null ? 0 : count;
  }

  private static ObjectNode checkpoint(Output output) {
    var checkpoint = Json.object();
    checkpoint.set(LEFT, output.last());
    if (output.total() != null) checkpoint.put(TOTAL, output.total());
    if (output.failed() != null) checkpoint.put(FAILED, output.failed());
    return checkpoint;
  }

  private static Transition<Workflow> completed(
      Workflow workflow, WorkflowOutcome.StepDone done, Instant now) {
    var last = stepCompleted(workflow, done, now);
    var count = workflow.steps().size();
    var output = output(workflow.output(), done.output(), done.counts());
    var summary = summary(output);
    var end = workflow.ending().at(workflow.startedAt(), now).withSummary(summary);
    var step = new CurrentStep(workflow.step().index(), workflow.step().name(), now, 0, null, null);
    var left = new Output(null, output.stored(), output.total(), output.failed());
    var next =
        workflow
            .stepped(step, count, left, workflow.checkpoints())
            .ended(ExecutionStatus.COMPLETED, step, left, end);
    var duration = ExecutionRecord.millis(workflow.startedAt(), now);
    var event = new WorkflowCompleted(workflow.id(), now, duration, count, summary);
    return withResult(transition(workflow, next, List.of(last, event), Transition.IMMEDIATE), last);
  }

  /// The counters of the contract's summary (C2.8).
  private static ObjectNode summary(Output output) {
    var total = count(output.total());
    var failed = count(output.failed());
    return Json.object()
        .put("totalRecords", total)
        .put("successfulRecords", Math.max(0, total - failed))
        .put("failedRecords", failed);
  }

  private static Transition<Workflow> retried(
      Workflow workflow, ExecutionError failure, Instant at) {
    var failures = workflow.step().failures() + 1;
    var next = workflow.with(workflow.status(), workflow.step().retried(failures, at));
    var data = Failures.json(failure).put("attempt", failures);
    data.put(WorkflowFields.NEXT_ATTEMPT_AT, ExecutionTime.encode(at));
    var retried = transition(workflow, next, List.of(), new Write.Release(at));
    retried.change().follow("workflow.step.retrying", Json.text(data));
    return retried;
  }

  private static Transition<Workflow> failed(
      Workflow workflow, ExecutionError failure, Instant now) {
    return failed(workflow, workflow.at(workflow.stepIndex()), failure, now);
  }

  private static Transition<Workflow> failed(
      Workflow before, Workflow workflow, ExecutionError failure, Instant now) {
    var event =
        new WorkflowFailed(
            workflow.id(),
            now,
            workflow.stepName(),
            workflow.stepIndex(),
            Failures.withStack(failure));
    var end =
        workflow
            .ending()
            .at(workflow.startedAt(), now)
            .withError(ExecutionCodec.payload(event).get(WorkflowFields.ERROR));
    var step = workflow.step();
    var last = new CurrentStep(step.index(), step.name(), step.startedAt(), 0, null, null);
    var next = workflow.ended(ExecutionStatus.FAILED, last, workflow.output(), end);
    return transition(before, next, List.of(event), Transition.IMMEDIATE);
  }

  // Ends outside of a processor: the scripts decide which end is the first, and write this one.
  private static Transition<Workflow> aborted(
      Workflow workflow, ExecutionStatus how, ExecutionError error, Instant now) {
    var name = workflow.step().name();
    var event =
        new WorkflowFailed(
            workflow.id(),
            now,
            name == null ? workflow.stepName() : name,
            workflow.stepIndex(),
            error);
    var end = workflow.ending().at(workflow.startedAt(), now).withError(Failures.json(error));
    var next = workflow.ended(how, workflow.step(), workflow.output(), end);
    return transition(workflow, next, List.of(event), Transition.IMMEDIATE);
  }
}
