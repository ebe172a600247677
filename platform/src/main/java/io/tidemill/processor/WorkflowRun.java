package io.tidemill.processor;

import io.tidemill.api.Step;
import io.tidemill.api.StepOutcome;
import io.tidemill.api.StepOutcome.Counts;
import io.tidemill.api.WorkFailure;
import io.tidemill.contract.workflow.ExecutionEvent.StepCompleted;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowCompleted;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowFailed;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowProcessing;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.contract.workflow.ExecutionTime;
import io.tidemill.contract.workflow.StepForms;
import io.tidemill.json.Json;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.redis.RedisException;
import io.tidemill.work.Backoff;
import io.tidemill.workflow.ExecutionChange;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// One stay of a workflow with this process: from the first unfinished step on, until it ends,
/// waits or is taken away (C2.7).
final class WorkflowRun implements ExecutionRunner.Run {
  private static final Logger log = LoggerFactory.getLogger(WorkflowRun.class);

  /// What runs of workflows share.
  interface StepServices {
    Optional<Step> step(String name);

    String stepNames();

    StepRecords records();

    ProcessorConfig config();

    void ended(Execution flow, Duration took, boolean success);
  }

  private final StepServices kit;
  private final Execution flow;
  private final WorkflowState state;

  WorkflowRun(StepServices kit, Execution flow) {
    this.kit = kit;
    this.flow = flow;
    state = new WorkflowState(flow.record());
  }

  @Override
  public void run() {
    flow.sendLeftovers();
    if (!flow.status().isTerminal()) work();
    if (flow.status() == ExecutionStatus.CANCELED) cancel();
    if (state.isOver()) finish();
  }

  private void finish() {
    if (state.status() != ExecutionStatus.COMPLETED) {
      flow.done(); // what its steps left is there if it begins again
      return;
    }
    state.shelf().valueStream().forEach(kept -> kit.records().forget((ObjectNode) kept));
    flow.done("shelf");
  }

  /// Lets the step that it was canceled in call off what it set going.
  @Override
  public void cancel() {
    try {
      var step = kit.step(state.stepName());
      if (step.isPresent()) step.get().canceled(call());
    } catch (RedisException away) {
      throw away; // whoever takes it next calls off the rest
    } catch (Exception failed) {
      log.warn(
          "step {} of {} did not call off its work: {}",
          state.stepName(),
          flow.id(),
          failed.getMessage());
    }
  }

  @Override
  public void late() {
    failed(StepFailure.of(flow.overtime(), state.stepName()));
    if (state.isOver()) finish();
  }

  private void work() {
    begin();
    if (flow.takes() > kit.config().maxTakes()) {
      fail(
          StepFailure.permanent(
              "PROCESS_DIED", "%d processes died over it".formatted(flow.takes() - 1)));
      return;
    }
    var fault = fault();
    if (fault.isPresent()) {
      fail(fault.get());
      return;
    }
    while (!state.isOver()) {
      if (!step()) return;
    }
  }

  /// What is wrong with a step that has not run, or with the input: better said before the first
  /// step than after a crawl of an hour. A step that is wrong is the one that fails.
  private Optional<StepFailure> fault() {
    var here = state.index();
    var input = state.input();
    for (int i = here; i < state.steps().size(); i++) {
      state.goTo(i);
      var fault = faultOfStep(input);
      if (fault.isPresent()) return fault;
    }
    state.goTo(here);
    return StepForms.stray(input, state.steps()).map(this::strayInput);
  }

  private Optional<StepFailure> faultOfStep(ObjectNode input) {
    var step = kit.step(state.stepName());
    if (step.isEmpty()) return Optional.of(unknownStep());
    try {
      var options = StepOptions.of(input, state.stepName(), state.index());
      options.timeout();
      step.get().check(options.own());
      return Optional.empty();
    } catch (Exception | Error refused) {
      return Optional.of(StepFailure.of(refused, state.stepName()));
    }
  }

  private StepFailure strayInput(String name) {
    return StepFailure.permanent(
        "INVALID_INPUT",
        "input has '%s', which is no source of records and none of the steps %s"
            .formatted(name, String.join(", ", state.steps())));
  }

  private void begin() {
    if (flow.status() == ExecutionStatus.PROCESSING) return; // resumed: everybody has been told
    var now = flow.now();
    flow.note(
        state.begun(now), new WorkflowProcessing(flow.id(), now, state.stepName(), state.index()));
  }

  /// Whether it goes on at once.
  private boolean step() {
    var step = kit.step(state.stepName()).orElseThrow();
    Ended ended;
    try {
      ended =
          flow.work(
              limit(), () -> Traces.part(SpanKind.STEP, "step", state.stepName(), () -> run(step)));
    } catch (ExecutionStopped stopped) {
      throw stopped;
    } catch (Exception | Error thrown) {
      return failed(StepFailure.of(thrown, state.stepName()));
    }
    // Not within: trouble with writing it down is none of the step's.
    return switch (ended) {
      case Kept kept -> completed(kept, step.isRepeatable());
      case Parked(var waiting, var isLook) -> {
        if (isLook) Traces.dismiss();
        yield parked(waiting);
      }
    };
  }

  private Ended run(Step step) throws Exception {
    Traces.note("index", state.index());
    Traces.note("attempt", state.tries() + 1L);
    return kept(step.run(call()));
  }

  private StepFailure unknownStep() {
    return StepFailure.permanent(
        ExecutionNames.UNKNOWN_STEP,
        "step '%s' is not known: expected one of %s".formatted(state.stepName(), kit.stepNames()));
  }

  private StepAttempt call() throws Exception {
    return new StepAttempt(flow, state.fields(), state.stepName(), state.index(), kit.records());
  }

  private Duration limit() throws WorkFailure {
    var usual = kit.config().stepTimeout();
    return state.ownLimit().filter(one -> one.compareTo(usual) < 0).orElse(usual);
  }

  private sealed interface Ended {}

  private record Kept(ObjectNode result, ObjectNode left, Counts counts) implements Ended {}

  /// @param isLook whether it had waited before, and waits on
  private record Parked(StepOutcome.Waiting waiting, boolean isLook) implements Ended {}

  // Still within the step's time: what it left may have to be read and stored.
  private Ended kept(StepOutcome outcome) throws Exception {
    return switch (outcome) {
      case StepOutcome.Waiting waiting -> {
        var isLook = !flow.field("state").isEmpty();
        if (isLook) Traces.dismiss();
        state.waits(waiting.state());
        checkPatience();
        yield new Parked(waiting, isLook);
      }
      case StepOutcome.Done(var result, var output, var counts) -> {
        var id = flow.id() + "-" + state.index();
        yield new Kept(StepResults.checked(result), kit.records().encode(id, output), counts);
      }
    };
  }

  // A step's own limit is for its waiting, too; the usual one is for its work only.
  private void checkPatience() throws WorkFailure {
    var limit = state.ownLimit();
    if (limit.isEmpty() || state.since("stepStartedAt", flow.now()) <= limit.get().toMillis())
      return;
    cancel();
    throw WorkFailure.permanent(
        "TIMEOUT", "it waited longer than " + limit.get().toSeconds() + " s");
  }

  private boolean completed(Kept kept, boolean isRepeatable) {
    var now = flow.now();
    var event =
        new StepCompleted(
            flow.id(),
            state.stepName(),
            state.index(),
            now,
            state.since("stepStartedAt", now),
            kept.result());
    var change = state.stepDone(event, kept.left(), kept.counts());
    if (state.isInLastStep()) {
      end(change, event, now);
    } else {
      state.nextStep(change);
      if (isRepeatable) flow.note(change, event);
      else flow.save(change, event);
    }
    return true;
  }

  private void end(ExecutionChange change, StepCompleted last, Instant now) {
    var summary = state.summary();
    var duration = state.since("startedAt", now);
    state.completed(change, summary, now);
    flow.save(
        change,
        last,
        new WorkflowCompleted(flow.id(), now, duration, state.steps().size(), summary));
    kit.ended(flow, Duration.ofMillis(duration), true);
  }

  private boolean parked(StepOutcome.Waiting waiting) {
    var at = flow.now().plus(waiting.after());
    var change = new ExecutionChange().set("state", Json.text(waiting.state()));
    change.set("nextAttemptAt", ExecutionTime.encode(at)).remove("tries");
    flow.again(at, change);
    return false;
  }

  private boolean failed(StepFailure failure) {
    var tries = state.tries() + 1;
    if (!failure.retryable() || tries >= kit.config().stepAttempts()) {
      fail(failure);
      return true;
    }
    var pauses = new Backoff(kit.config().stepRetryAfter(), kit.config().stepRetryMost());
    var at = flow.now().plus(pauses.after(tries, ThreadLocalRandom.current()));
    var told = error(failure).put("attempt", tries).put("nextAttemptAt", ExecutionTime.encode(at));
    var change = new ExecutionChange().tell("workflow.step.retrying", Json.text(told));
    change.set("tries", String.valueOf(tries)).set("nextAttemptAt", ExecutionTime.encode(at));
    flow.again(at, change);
    return false;
  }

  private static ObjectNode error(StepFailure failure) {
    return Json.object().put("code", failure.code()).put("message", failure.message());
  }

  private void fail(StepFailure failure) {
    var now = flow.now();
    var event =
        new WorkflowFailed(flow.id(), now, state.stepName(), state.index(), failure.withStack());
    var duration = state.since("startedAt", now);
    flow.save(state.failed(event), event);
    kit.ended(flow, Duration.ofMillis(duration), false);
  }
}
