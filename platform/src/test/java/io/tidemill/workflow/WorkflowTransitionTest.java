package io.tidemill.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.api.StepOutcome.Counts;
import io.tidemill.contract.workflow.ExecutionCodec;
import io.tidemill.contract.workflow.ExecutionError;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowCreated;
import io.tidemill.contract.workflow.ExecutionRecords;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.contract.workflow.ExecutionTime;
import io.tidemill.contract.workflow.Priority;
import io.tidemill.json.Json;
import io.tidemill.workflow.Transition.Write;
import io.tidemill.workflow.WorkflowOutcome.Canceled;
import io.tidemill.workflow.WorkflowOutcome.Started;
import io.tidemill.workflow.WorkflowOutcome.StepDone;
import io.tidemill.workflow.WorkflowOutcome.StepFailedPermanent;
import io.tidemill.workflow.WorkflowOutcome.StepFailedTransient;
import io.tidemill.workflow.WorkflowOutcome.StepRejected;
import io.tidemill.workflow.WorkflowOutcome.StepWaits;
import io.tidemill.workflow.WorkflowOutcome.TooManyTakes;
import io.tidemill.workflow.WorkflowOutcome.Unpublished;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

final class WorkflowTransitionTest {
  private static final Instant CREATED = Instant.parse("2026-01-04T01:00:00Z");
  private static final Instant STARTED = CREATED.plusSeconds(10);
  private static final Instant NOW = CREATED.plusSeconds(70);
  private static final Duration PAUSE = Duration.ofSeconds(5);
  private static final String TIME = ExecutionTime.encode(NOW);
  private static final ExecutionError ERROR = new ExecutionError("X", "no", "X: no\n  at", true);
  private static final Counts COUNTS = new Counts(10, 8, 2);

  private static Workflow pending(String... more) {
    var created = new WorkflowCreated("wf-1", "n", List.of("a", "b"), Priority.LOW, CREATED, null);
    var hash = ExecutionRecords.fields(created);
    hash.put("status", "pending");
    hash.put("takes", "3");
    for (int i = 0; i < more.length; i += 2) hash.put(more[i], more[i + 1]);
    return Workflow.of(hash);
  }

  private static Workflow running(int index, String... more) {
    var fields = new TreeMap<String, String>();
    fields.put("status", "processing");
    fields.put("startedAt", ExecutionTime.encode(STARTED));
    fields.put("stepStartedAt", ExecutionTime.encode(STARTED));
    fields.put("currentStepIndex", String.valueOf(index));
    fields.put("currentStep", index == 0 ? "a" : "b");
    fields.put("stepsCompleted", String.valueOf(index));
    for (int i = 0; i < more.length; i += 2) fields.put(more[i], more[i + 1]);
    var flat = fields.entrySet().stream().flatMap(one -> Stream.of(one.getKey(), one.getValue()));
    return pending(flat.toArray(String[]::new));
  }

  private static StepDone done(ObjectNode output, boolean isRepeatable) {
    return new StepDone(Json.object().put("ok", true), output, COUNTS, isRepeatable);
  }

  private static ObjectNode stored() {
    return Json.object().put("key", "k");
  }

  private static StepFailedTransient failed(int maxAttempts) {
    return new StepFailedTransient(ERROR, maxAttempts, PAUSE);
  }

  static Stream<Arguments> table() {
    var release = new Write.Release(NOW.plus(PAUSE));
    var waits = new StepWaits(Json.object().put("at", 1), PAUSE);
    return Stream.of(
        row(pending(), new Started(), "processing", "workflow.processing", new Write.Deferred()),
        row(
            running(0),
            done(stored(), true),
            "processing",
            "workflow.step.completed",
            new Write.Deferred()),
        row(
            running(0),
            done(stored(), false),
            "processing",
            "workflow.step.completed",
            new Write.Immediate()),
        row(
            running(1),
            done(stored(), true),
            "completed",
            "workflow.step.completed workflow.completed",
            new Write.Immediate()),
        row(running(0), waits, "processing", "", release),
        row(running(0), failed(2), "processing", "", release),
        row(running(0), failed(1), "failed", "workflow.failed", new Write.Immediate()),
        row(
            running(0, "tries", "4"),
            failed(5),
            "failed",
            "workflow.failed",
            new Write.Immediate()),
        row(running(0, "tries", "3"), failed(5), "processing", "", release),
        row(
            running(0),
            new StepFailedPermanent(ERROR),
            "failed",
            "workflow.failed",
            new Write.Immediate()),
        row(
            running(0),
            new StepRejected(1, ERROR),
            "failed",
            "workflow.failed",
            new Write.Immediate()),
        row(running(0), new TooManyTakes(), "failed", "workflow.failed", new Write.Immediate()),
        row(running(0), new Canceled("why"), "canceled", "workflow.failed", new Write.Immediate()),
        row(pending(), new Canceled("why"), "canceled", "workflow.failed", new Write.Immediate()),
        row(pending(), new Unpublished(), "failed", "workflow.failed", new Write.Immediate()));
  }

  private static Arguments row(
      Workflow workflow, WorkflowOutcome outcome, String status, String events, Write write) {
    return Arguments.of(workflow, outcome, status, events, write);
  }

  @ParameterizedTest
  @MethodSource("table")
  void everyOutcomeHasOneTransition(
      Workflow workflow, WorkflowOutcome outcome, String status, String events, Write write) {
    var transition = WorkflowTransition.after(workflow, outcome, NOW);

    assertThat(transition.next().status().wire()).isEqualTo(status);
    assertThat(transition.events().stream().map(ExecutionEvent::type))
        .isEqualTo(Stream.of(events.split(" ")).filter(type -> !type.isEmpty()).toList());
    assertThat(transition.write()).isEqualTo(write);
  }

  // The record in memory and the hash that the change leads to are the same.
  @ParameterizedTest
  @MethodSource("table")
  void theChangeLeadsToTheNextRecord(
      Workflow workflow, WorkflowOutcome outcome, String status, String events, Write write) {
    var transition = WorkflowTransition.after(workflow, outcome, NOW);
    var hash = ExecutionRecords.fields(workflow.created());
    hash.put("takes", "3");
    hash.put("status", workflow.status().wire());
    var before = Workflow.of(hash);
    workflow.since(before).fields().forEach(hash::put);

    hash.put("status", transition.next().status().wire());
    transition.change().fields().forEach(hash::put);
    transition.change().removed().forEach(hash::remove);

    // As text: Jackson tells an int from a long.
    assertThat(Workflow.of(hash)).hasToString(transition.next().toString());
  }

  @Test
  void aStartWritesWhereItIs() {
    var change = WorkflowTransition.after(pending(), new Started(), NOW).change();

    assertThat(change.fields())
        .isEqualTo(
            Map.of(
                "startedAt", TIME,
                "stepStartedAt", TIME,
                "stepsCompleted", "0",
                "currentStep", "a",
                "currentStepIndex", "0"));
    assertThat(change.removed()).isEmpty();
  }

  @Test
  void aSecondStartKeepsTheTimeOfTheFirst() {
    var earlier = pending("startedAt", ExecutionTime.encode(STARTED), "currentStepIndex", "1");

    var next = WorkflowTransition.after(earlier, new Started(), NOW).next();

    assertThat(next.startedAt()).isEqualTo(STARTED);
    assertThat(next.stepName()).isEqualTo("b");
    assertThat(next.stepsCompleted()).isEqualTo(1);
  }

  @Test
  void aDoneStepWritesItsResultAndItsCheckpoint() {
    var waiting = running(0, "state", "{}", "tries", "1", "nextAttemptAt", TIME);

    var change = WorkflowTransition.after(waiting, done(stored(), true), NOW).change();

    var after = "{\"left\":{\"key\":\"k\"},\"total\":10,\"failed\":2}";
    assertThat(change.fields())
        .containsEntry("after:0", after)
        .containsEntry("left", "{\"key\":\"k\"}")
        .containsEntry("shelf", "[{\"key\":\"k\"}]")
        .containsEntry("total", "10")
        .containsEntry("failed", "2")
        .containsEntry("stepsCompleted", "1")
        .containsEntry("currentStep", "b")
        .containsEntry("currentStepIndex", "1")
        .containsEntry("stepStartedAt", TIME);
    assertThat(change.fields().get("step:0"))
        .startsWith("{\"stepName\":\"a\",\"stepIndex\":0,\"completedAt\":")
        .contains("\"duration\":60000");
    assertThat(change.removed())
        .containsExactlyInAnyOrder("state", "tries", "nextAttemptAt", "progress");
  }

  @Test
  void onlyTheFirstCountIsTheTotalAndFailuresAddUp() {
    var counted = running(0, "total", "3", "failed", "1");

    var output = WorkflowTransition.after(counted, done(Json.object(), true), NOW).next().output();

    assertThat(output.total()).isEqualTo(3);
    assertThat(output.failed()).isEqualTo(3);
    assertThat(output.stored()).isEmpty();
  }

  @Test
  void theLastStepSumsUpAndLeavesNoCheckpoint() {
    var last = running(1, "total", "9", "failed", "1", "after:0", "{}", "left", "{}");

    var transition = WorkflowTransition.after(last, done(stored(), true), NOW);

    var summary = "{\"totalRecords\":9,\"successfulRecords\":6,\"failedRecords\":3}";
    assertThat(transition.change().fields())
        .containsEntry("summary", summary)
        .containsEntry("completedAt", TIME)
        .containsEntry("duration", "60000")
        .containsEntry("stepsCompleted", "2")
        .containsKey("step:1");
    assertThat(transition.change().removed()).contains("left", "after:0");
    assertThat(ExecutionCodec.payload(transition.events().getLast()).get("summary"))
        .hasToString(summary);
  }

  @Test
  void aWaitForgetsEarlierFailures() {
    var failedOnce = running(0, "tries", "1");
    var waits = new StepWaits(Json.object().put("at", 1), PAUSE);

    var change = WorkflowTransition.after(failedOnce, waits, NOW).change();

    assertThat(change.fields())
        .isEqualTo(
            Map.of("state", "{\"at\":1}", "nextAttemptAt", ExecutionTime.encode(NOW.plus(PAUSE))));
    assertThat(change.removed()).containsExactly("tries");
  }

  @Test
  void aRetryCountsTheFailureAndKeepsTheState() {
    var waiting = running(0, "state", "{\"at\":1}");

    var transition = WorkflowTransition.after(waiting, failed(3), NOW);

    assertThat(transition.change().fields())
        .isEqualTo(Map.of("tries", "1", "nextAttemptAt", ExecutionTime.encode(NOW.plus(PAUSE))));
    assertThat(transition.next().step().state()).isEqualTo(Json.object().put("at", 1));
  }

  @Test
  void aFailureNamesTheStepAndDropsItsState() {
    var waiting = running(0, "state", "{}", "tries", "1", "nextAttemptAt", TIME);

    var transition = WorkflowTransition.after(waiting, new StepRejected(1, ERROR), NOW);

    var error = "{\"code\":\"X\",\"message\":\"no\",\"stack\":\"X: no\\n  at\"}";
    assertThat(transition.change().fields())
        .isEqualTo(
            Map.of(
                "error", error,
                "completedAt", TIME,
                "duration", "60000",
                "currentStep", "b",
                "currentStepIndex", "1"));
    assertThat(transition.change().removed())
        .containsExactlyInAnyOrder("state", "tries", "nextAttemptAt");
    assertThat(transition.events())
        .containsExactly(
            new ExecutionEvent.WorkflowFailed(
                "wf-1", NOW, "b", 1, new ExecutionError("X", "no", "X: no\n  at", null)));
  }

  @Test
  void tooManyTakesAreTheFaultOfTheWorkflow() {
    var transition = WorkflowTransition.after(running(0), new TooManyTakes(), NOW);

    var event = (ExecutionEvent.WorkflowFailed) transition.events().getFirst();
    assertThat(event.error().code()).isEqualTo("PROCESS_DIED");
    assertThat(event.error().message()).isEqualTo("2 processes died over it");
  }

  @Test
  void aCancelOfAForeignWorkflowNamesAStepThatItHas() {
    var beyond = running(7, "currentStep", "c");

    var event = WorkflowTransition.after(beyond, new Canceled("why"), NOW).events().getFirst();

    assertThat(event)
        .isEqualTo(
            new ExecutionEvent.WorkflowFailed(
                "wf-1", NOW, "c", 1, new ExecutionError("CANCELED", "why")));
    assertThat(beyond.status()).isEqualTo(ExecutionStatus.PROCESSING);
  }
}
