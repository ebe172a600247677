package io.tidemill.processor;

import io.tidemill.contract.Json;
import io.tidemill.contract.flow.FlowCodec;
import io.tidemill.contract.flow.FlowEvent.StepCompleted;
import io.tidemill.contract.flow.FlowEvent.WorkflowCompleted;
import io.tidemill.contract.flow.FlowEvent.WorkflowFailed;
import io.tidemill.contract.flow.FlowEvent.WorkflowProcessing;
import io.tidemill.contract.flow.FlowNames;
import io.tidemill.contract.flow.FlowRecords;
import io.tidemill.contract.flow.FlowStatus;
import io.tidemill.contract.flow.FlowTime;
import io.tidemill.processor.api.Step;
import io.tidemill.processor.api.StepOutcome;
import io.tidemill.processor.api.StepOutcome.Counts;
import io.tidemill.processor.api.WorkFailure;
import io.tidemill.store.redis.FlowChange;
import io.tidemill.store.redis.StoreException;
import io.tidemill.work.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// One stay of a workflow with this process: from the first unfinished step on, until it ends,
/// waits or is taken away (C2.7).
final class WorkflowRun implements FlowRunner.Run {
  private static final Logger log = LoggerFactory.getLogger(WorkflowRun.class);

  /// Bytes of a result, so that its event fits into a record (F08).
  static final int MOST_RESULT = 256 * 1024;

  /// What runs of workflows share.
  interface Kit {
    Optional<Step> step(String name);

    String stepNames();

    StepRecords records();

    ProcessorConfig config();

    void ended(RunningFlow flow, Duration took, boolean success);
  }

  private final Kit kit;
  private final RunningFlow flow;
  private final Map<String, String> state; // the record as it is now
  private final List<String> steps;

  WorkflowRun(Kit kit, RunningFlow flow) {
    this.kit = kit;
    this.flow = flow;
    state = new HashMap<>(flow.record());
    steps = FlowRecords.workflowCreated(state).steps();
  }

  @Override
  public void run() {
    flow.sendLeftovers();
    if (!flow.status().isTerminal()) work();
    if (flow.status() == FlowStatus.CANCELED) callOff();
    if (isOver()) finish();
  }

  private void finish() {
    if (!FlowStatus.COMPLETED.wire().equals(state.get("status"))) {
      flow.done(); // what its steps left is there if it begins again
      return;
    }
    shelf().valueStream().forEach(kept -> kit.records().forget((ObjectNode) kept));
    flow.done("shelf");
  }

  /// Lets the step that it was canceled in call off what it set going.
  @Override
  public void callOff() {
    try {
      var step = kit.step(stepName());
      if (step.isPresent()) step.get().canceled(call());
    } catch (StoreException away) {
      throw away; // whoever takes it next calls off the rest
    } catch (Exception failed) {
      log.warn(
          "step {} of {} did not call off its work: {}",
          stepName(),
          flow.id(),
          failed.getMessage());
    }
  }

  @Override
  public void late() {
    failed(Failure.of(flow.overtime(), stepName()));
    if (isOver()) finish();
  }

  private boolean isOver() {
    return FlowStatus.of(state.getOrDefault("status", "")).orElse(FlowStatus.PENDING).isTerminal();
  }

  private void work() {
    begin();
    if (flow.takes() > kit.config().maxTakes()) {
      fail(
          Failure.permanent(
              "PROCESS_DIED", "%d processes died over it".formatted(flow.takes() - 1)));
      return;
    }
    if (knowsAllSteps()) {
      while (!isOver()) {
        if (!step()) return;
      }
    }
  }

  // Better before the first step than after a crawl of an hour.
  private boolean knowsAllSteps() {
    for (int i = index(); i < steps.size(); i++) {
      if (kit.step(steps.get(i)).isEmpty()) {
        state.put("currentStepIndex", String.valueOf(i));
        fail(unknownStep());
        return false;
      }
    }
    return checkInput();
  }

  private boolean checkInput() {
    var stray = StepOptions.stray(FlowRecords.object(state, "input"), steps);
    stray.ifPresent(name -> fail(strayInput(name)));
    return stray.isEmpty();
  }

  private Failure strayInput(String name) {
    return Failure.permanent(
        "INVALID_INPUT",
        "input has '%s', which is no source of records and none of the steps %s"
            .formatted(name, String.join(", ", steps)));
  }

  private int index() {
    return FlowRecords.number(state, "currentStepIndex");
  }

  private String stepName() {
    return steps.get(Math.min(index(), steps.size() - 1));
  }

  private void begin() {
    if (flow.status() == FlowStatus.PROCESSING) return; // resumed: everybody has been told
    var now = flow.now();
    var change = new FlowChange().status(FlowStatus.PROCESSING);
    put(change, "startedAt", state.getOrDefault("startedAt", FlowTime.encode(now)));
    put(change, "stepStartedAt", FlowTime.encode(now));
    put(change, "stepsCompleted", String.valueOf(index()));
    put(change, "currentStep", stepName());
    put(change, "currentStepIndex", String.valueOf(index()));
    flow.note(change, new WorkflowProcessing(flow.id(), now, stepName(), index()));
    state.put("status", FlowStatus.PROCESSING.wire());
  }

  private void put(FlowChange change, String field, String value) {
    state.put(field, value);
    change.set(field, value);
  }

  /// Whether it goes on at once.
  private boolean step() {
    var step = kit.step(stepName()).orElseThrow();
    Ended ended;
    try {
      ended = flow.work(limit(), () -> kept(step.run(call())));
    } catch (Stopped stopped) {
      throw stopped;
    } catch (Exception | Error thrown) {
      return failed(Failure.of(thrown, stepName()));
    }
    // Not within: trouble with writing it down is none of the step's.
    return switch (ended) {
      case Kept kept -> completed(kept, step.isRepeatable());
      case Parked(var waiting) -> parked(waiting);
    };
  }

  private Failure unknownStep() {
    return Failure.permanent(
        FlowNames.UNKNOWN_STEP,
        "step '%s' is not known: expected one of %s".formatted(stepName(), kit.stepNames()));
  }

  private StepRun call() throws Exception {
    return new StepRun(flow, state, stepName(), index(), kit.records());
  }

  private Duration limit() throws WorkFailure {
    var usual = kit.config().stepTimeout();
    return ownLimit().filter(one -> one.compareTo(usual) < 0).orElse(usual);
  }

  private Optional<Duration> ownLimit() throws WorkFailure {
    return StepOptions.of(FlowRecords.object(state, "input"), stepName(), index()).timeout();
  }

  private sealed interface Ended {}

  private record Kept(ObjectNode result, ObjectNode left, Counts counts) implements Ended {}

  private record Parked(StepOutcome.Waiting waiting) implements Ended {}

  // Still within the step's time: what it left may have to be read and stored.
  private Ended kept(StepOutcome outcome) throws Exception {
    return switch (outcome) {
      case StepOutcome.Waiting waiting -> {
        state.put("state", Json.text(waiting.state()));
        checkPatience();
        yield new Parked(waiting);
      }
      case StepOutcome.Done(var result, var output, var counts) -> {
        if (Json.bytes(result).length > MOST_RESULT) {
          throw WorkFailure.permanent(
              "RESULT_TOO_LARGE", "the step's result has more than " + MOST_RESULT + " bytes");
        }
        var id = flow.id() + "-" + index();
        yield new Kept(result, kit.records().encode(id, output), counts);
      }
    };
  }

  // A step's own limit is for its waiting, too; the usual one is for its work only.
  private void checkPatience() throws WorkFailure {
    var limit = ownLimit();
    if (limit.isEmpty() || since("stepStartedAt", flow.now()) <= limit.get().toMillis()) return;
    callOff();
    throw WorkFailure.permanent(
        "TIMEOUT", "it waited longer than " + limit.get().toSeconds() + " s");
  }

  private boolean completed(Kept kept, boolean isRepeatable) {
    var now = flow.now();
    var index = index();
    var left = kept.left();
    var event =
        new StepCompleted(
            flow.id(), stepName(), index, now, since("stepStartedAt", now), kept.result());
    var change = new FlowChange().remove("state", "tries", "nextAttemptAt", "progress");
    put(change, FlowRecords.step(index), Json.text(journal(event)));
    put(change, "left", Json.text(left));
    shelve(change, left);
    put(change, "stepStartedAt", FlowTime.encode(now));
    put(change, "stepsCompleted", String.valueOf(index + 1));
    count(change, kept.counts());
    put(change, FlowRecords.after(index), Json.text(after(left)));
    List.of("state", "tries", "nextAttemptAt", "progress").forEach(state::remove);
    if (index + 1 == steps.size()) {
      end(change, event, now);
    } else {
      put(change, "currentStep", steps.get(index + 1));
      put(change, "currentStepIndex", String.valueOf(index + 1));
      if (isRepeatable) flow.note(change, event);
      else flow.save(change, event);
    }
    return true;
  }

  // What lies in the object store is cleared away when the workflow has ended well.
  private void shelve(FlowChange change, ObjectNode left) {
    if (!left.has("key")) return;
    var shelf = shelf();
    if (shelf.valueStream().noneMatch(left::equals)) {
      put(change, "shelf", Json.text(shelf.add(left)));
    }
  }

  private ArrayNode shelf() {
    return (ArrayNode) Json.parse(state.getOrDefault("shelf", "[]"));
  }

  private static ObjectNode journal(StepCompleted event) {
    var tree = FlowCodec.payload(event);
    tree.remove("workflowId");
    return tree;
  }

  // The first step that counts says how many there were; failures of all steps add up.
  private void count(FlowChange change, Counts counts) {
    if (counts.total() > 0 && !state.containsKey("total")) {
      put(change, "total", String.valueOf(counts.total()));
    }
    put(change, "failed", String.valueOf(longOf("failed") + counts.failed()));
  }

  private ObjectNode after(ObjectNode left) {
    var after = Json.object();
    after.set("left", left);
    for (var count : List.of("total", "failed")) {
      if (state.containsKey(count)) after.put(count, longOf(count));
    }
    return after;
  }

  private long longOf(String field) {
    return Long.parseLong(state.getOrDefault(field, "0"));
  }

  private void end(FlowChange change, StepCompleted last, Instant now) {
    var total = longOf("total");
    var failed = longOf("failed");
    var summary =
        Json.object()
            .put("totalRecords", total)
            .put("successfulRecords", Math.max(0, total - failed))
            .put("failedRecords", failed);
    var duration = since("startedAt", now);
    put(change, "summary", Json.text(summary));
    put(change, "completedAt", FlowTime.encode(now));
    put(change, "duration", String.valueOf(duration));
    change.status(FlowStatus.COMPLETED).remove("left");
    for (int i = 0; i < steps.size(); i++) change.remove(FlowRecords.after(i));
    flow.save(change, last, new WorkflowCompleted(flow.id(), now, duration, steps.size(), summary));
    state.put("status", FlowStatus.COMPLETED.wire());
    kit.ended(flow, Duration.ofMillis(duration), true);
  }

  private long since(String field, Instant now) {
    return FlowTime.decode(state.getOrDefault(field, ""))
        .map(then -> Math.max(0, now.toEpochMilli() - then.toEpochMilli()))
        .orElse(0L);
  }

  private boolean parked(StepOutcome.Waiting waiting) {
    var at = flow.now().plus(waiting.after());
    var change = new FlowChange().set("state", Json.text(waiting.state()));
    change.set("nextAttemptAt", FlowTime.encode(at)).remove("tries");
    flow.again(at, change);
    return false;
  }

  private boolean failed(Failure failure) {
    var tries = FlowRecords.number(state, "tries") + 1;
    if (!failure.retryable() || tries >= kit.config().stepAttempts()) {
      fail(failure);
      return true;
    }
    var pauses = new Backoff(kit.config().stepRetryAfter(), kit.config().stepRetryMost());
    var at = flow.now().plus(pauses.after(tries, ThreadLocalRandom.current()));
    var told = error(failure).put("attempt", tries).put("nextAttemptAt", FlowTime.encode(at));
    var change = new FlowChange().tell("workflow.step.retrying", Json.text(told));
    change.set("tries", String.valueOf(tries)).set("nextAttemptAt", FlowTime.encode(at));
    flow.again(at, change);
    return false;
  }

  private static ObjectNode error(Failure failure) {
    return Json.object().put("code", failure.code()).put("message", failure.message());
  }

  private void fail(Failure failure) {
    var now = flow.now();
    var duration = since("startedAt", now);
    var event = new WorkflowFailed(flow.id(), now, stepName(), index(), failure.withStack());
    var change = new FlowChange().status(FlowStatus.FAILED);
    JsonNode error = FlowCodec.payload(event).get("error");
    put(change, "error", Json.text(error));
    put(change, "completedAt", FlowTime.encode(now));
    put(change, "duration", String.valueOf(duration));
    put(change, "currentStep", stepName());
    put(change, "currentStepIndex", String.valueOf(index()));
    flow.save(change.remove("state", "tries", "nextAttemptAt"), event);
    state.put("status", FlowStatus.FAILED.wire());
    kit.ended(flow, Duration.ofMillis(duration), false);
  }
}
