package io.tidemill.processor;

import io.tidemill.api.Step;
import io.tidemill.api.StepOutcome;
import io.tidemill.api.WorkFailure;
import io.tidemill.contract.workflow.ExecutionError;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowCreated;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.contract.workflow.StepForms;
import io.tidemill.contract.workflow.WorkflowFields;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.redis.RedisException;
import io.tidemill.work.Backoff;
import io.tidemill.workflow.ExecutionRecord;
import io.tidemill.workflow.Failures;
import io.tidemill.workflow.LeasedExecution;
import io.tidemill.workflow.Workflow;
import io.tidemill.workflow.WorkflowOutcome;
import io.tidemill.workflow.WorkflowTransition;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// A workflow while this process holds it: from the first unfinished step on, until it ends, waits
/// or has to stop (C2.7). Every outcome is decided, recorded and published in this order.
final class WorkflowExecution extends Execution {
  private static final Logger log = LoggerFactory.getLogger(WorkflowExecution.class);

  private volatile @Nullable Workflow workflow;

  WorkflowExecution(Services services, LeasedExecution lease, BooleanSupplier isLeased) {
    super(services, lease, isLeased);
  }

  // Decoded on the thread of the execution: the hash may be long, and may be broken.
  private Workflow workflow() {
    var decoded = workflow;
    if (decoded == null) {
      decoded = Workflow.of(lease.hash());
      workflow = decoded;
    }
    return decoded;
  }

  @Override
  SpanKind spanKind() {
    return SpanKind.STEP;
  }

  @Override
  String title() {
    return lease.field(WorkflowFields.NAME);
  }

  @Override
  void run() {
    publishRecorded();
    var status = workflow().status();
    if (status == ExecutionStatus.CANCELED) cancelStep();
    else if (!status.isTerminal()) runSteps();
    finishIfEnded();
  }

  private void runSteps() {
    if (workflow().status() != ExecutionStatus.PROCESSING) apply(new WorkflowOutcome.Started());
    if (workflow().bookkeeping().takes() > services.config().maxTakes()) {
      apply(new WorkflowOutcome.TooManyTakes());
      return;
    }
    var rejected = rejected();
    if (rejected.isPresent()) apply(rejected.get());
    else while (runStep()) {}
  }

  /// Decides, then records and publishes.
  private void apply(WorkflowOutcome outcome) {
    var now = now();
    var transition = WorkflowTransition.after(workflow(), outcome, now);
    var next = transition.next();
    workflow = next;
    record(transition);
    if (next.status().isTerminal()) {
      var success = next.status() == ExecutionStatus.COMPLETED;
      var took = ExecutionRecord.millis(next.startedAt(), now);
      countProcessed(WorkflowCreated.TYPE, took, success);
    }
  }

  /// Whether the next step follows at once.
  private boolean runStep() {
    var name = workflow().stepName();
    var step = services.capabilities().steps().named(name).orElseThrow();
    WorkflowOutcome outcome;
    try {
      outcome =
          call(timeLimit(), () -> Traces.part(SpanKind.STEP, "step", name, () -> callStep(step)));
    } catch (ExecutionStopped stopped) {
      throw stopped;
    } catch (Exception | Error thrown) {
      outcome = failed(thrown);
    }
    if (outcome instanceof WorkflowOutcome.StepWaits && hasWaited()) Traces.dismiss();
    apply(outcome); // outside of the try: a failure to write is not a failure of the step
    return outcome instanceof WorkflowOutcome.StepDone && !workflow().status().isTerminal();
  }

  // Still within the step's time limit: its output may have to be read and stored.
  private WorkflowOutcome callStep(Step step) throws Exception {
    Traces.note("index", workflow().stepIndex());
    Traces.note("attempt", workflow().step().failures() + 1L);
    return switch (step.run(context())) {
      case StepOutcome.Waiting(var state, var after) -> {
        if (hasWaited()) Traces.dismiss();
        checkWaitingTime(state);
        yield new WorkflowOutcome.StepWaits(state, after);
      }
      case StepOutcome.Done(var result, var records, var counts) -> {
        var id = id() + "-" + workflow().stepIndex();
        var output = services.capabilities().records().encode(id, records);
        var checked = StepResults.checked(result);
        yield new WorkflowOutcome.StepDone(checked, output, counts, step.isRepeatable());
      }
    };
  }

  private StepContext context() throws Exception {
    return new StepContext(this, workflow(), services.capabilities().records());
  }

  // Polls of a waiting step are not worth a trace each.
  private boolean hasWaited() {
    return workflow().step().state() != null;
  }

  private Duration timeLimit() throws WorkFailure {
    var usual = services.config().stepTimeout();
    return ownTimeLimit().filter(own -> own.compareTo(usual) < 0).orElse(usual);
  }

  private Optional<Duration> ownTimeLimit() throws WorkFailure {
    var current = workflow();
    return StepOptions.of(current.input(), current.stepName(), current.stepIndex()).timeout();
  }

  // A step's own limit includes the time that it waits; the usual one does not.
  private void checkWaitingTime(ObjectNode state) throws WorkFailure {
    var limit = ownTimeLimit().orElse(null);
    var waited = ExecutionRecord.millis(workflow().step().startedAt(), now());
    if (limit == null || waited <= limit.toMillis()) return;
    workflow = workflow().withState(state);
    cancelStep();
    throw WorkFailure.permanent("TIMEOUT", "it waited longer than " + limit.toSeconds() + " s");
  }

  private WorkflowOutcome failed(Throwable thrown) {
    var failure = StepFailure.of(thrown, workflow().stepName());
    if (!Boolean.TRUE.equals(failure.retryable())) {
      return new WorkflowOutcome.StepFailedPermanent(failure);
    }
    var config = services.config();
    var pause =
        new Backoff(config.stepRetryAfter(), config.stepRetryMost())
            .after(workflow().step().failures() + 1, ThreadLocalRandom.current());
    return new WorkflowOutcome.StepFailedTransient(failure, config.stepAttempts(), pause);
  }

  /// The first step that can't run, or an input that no step reads: better rejected before the
  /// first step than after a crawl of an hour.
  private Optional<WorkflowOutcome> rejected() {
    var input = workflow().input();
    var steps = workflow().steps();
    var first = workflow().stepIndex();
    for (int i = first; i < steps.size(); i++) {
      var failure = check(steps.get(i), i, input);
      if (failure.isPresent()) {
        return Optional.of(new WorkflowOutcome.StepRejected(i, failure.get()));
      }
    }
    return StepForms.stray(input, steps)
        .map(name -> new WorkflowOutcome.StepRejected(first, strayInput(name)));
  }

  private Optional<ExecutionError> check(String name, int index, ObjectNode input) {
    var step = services.capabilities().steps().named(name);
    if (step.isEmpty()) return Optional.of(unknownStep(name));
    try {
      var options = StepOptions.of(input, name, index);
      options.timeout();
      step.get().check(options.own());
      return Optional.empty();
    } catch (Exception | Error refused) {
      return Optional.of(StepFailure.of(refused, name));
    }
  }

  private ExecutionError unknownStep(String name) {
    var known = String.join(", ", services.capabilities().steps().names());
    return Failures.permanent(
        ExecutionNames.UNKNOWN_STEP,
        "step '%s' is not known: expected one of %s".formatted(name, known));
  }

  private ExecutionError strayInput(String name) {
    return Failures.permanent(
        "INVALID_INPUT",
        "input has '%s', which is no source of records and none of the steps %s"
            .formatted(name, String.join(", ", workflow().steps())));
  }

  @Override
  void cancelStep() {
    var name = workflow().stepName();
    try {
      var step = services.capabilities().steps().named(name);
      if (step.isPresent()) step.get().canceled(context());
    } catch (RedisException unavailable) {
      throw unavailable; // the next holder cancels the rest
    } catch (Exception failed) {
      log.warn("step {} of {} did not cancel its work: {}", name, id(), failed.getMessage());
    }
  }

  @Override
  void timedOut() {
    apply(failed(timeout()));
    finishIfEnded();
  }

  private void finishIfEnded() {
    switch (workflow().status()) {
      case PENDING, PROCESSING, RETRYING -> {}
      case COMPLETED -> {
        workflow().output().stored().forEach(services.capabilities().records()::forget);
        done(WorkflowFields.SHELF);
      }
      // The output of its steps is needed if it begins again.
      case FAILED, CANCELED, DEAD_LETTER -> done();
    }
  }
}
