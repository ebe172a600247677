package io.tidemill.processor;

import static io.tidemill.contract.workflow.ExecutionKind.TASK;
import static io.tidemill.contract.workflow.ExecutionKind.WORKFLOW;
import static io.tidemill.processor.TestSteps.done;
import static io.tidemill.processor.TestSteps.gate;
import static io.tidemill.processor.TestSteps.pass;
import static io.tidemill.processor.TestSteps.step;
import static io.tidemill.processor.TestSteps.type;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.api.Step;
import io.tidemill.api.StepCall;
import io.tidemill.api.StepOutcome;
import io.tidemill.api.WorkFailure;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.contract.workflow.ExecutionTime;
import io.tidemill.contract.workflow.Priority;
import io.tidemill.json.Json;
import io.tidemill.processor.ExecutionProcessorIT.TestClock;
import io.tidemill.workflow.ExecutionStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The moments at which an engine goes wrong: a cancel between two words, a record that is too
/// large, a stop while every slot is taken, a death between a word and its deed.
class WorkflowEdgeIT {
  private static final InstantSource CLOCK = InstantSource.system();
  private static WorkflowRig rig;

  @BeforeAll
  static void start() {
    rig = new WorkflowRig();
  }

  @AfterAll
  static void end() {
    rig.close();
  }

  @AfterEach
  void stopProcessors() {
    rig.stopAll();
  }

  @Test
  void aCancelWhileAStepTellsOfItsProgressIsToldToEverybody() { // F05
    rig.processor(
        "worker-1",
        CLOCK,
        List.of(
            step(
                "chatty",
                call -> {
                  for (int i = 0; !Thread.interrupted(); i++) {
                    call.progress(0.5, "round " + i);
                    LockSupport.parkNanos(1_000_000);
                  }
                  throw new InterruptedException();
                })),
        List.of());
    var ids = new ArrayList<String>();
    for (int i = 0; i < 20; i++) ids.add(rig.workflow("chatty"));
    for (var id : ids) {
      rig.awaitStatus(WORKFLOW, id, ExecutionStatus.PROCESSING);
      assertThat(ExecutionProcessorIT.cancel(rig, id).what())
          .isEqualTo(ExecutionStore.Canceled.CANCELED);
    }

    for (var id : ids) {
      rig.awaitEnd(WORKFLOW, id);
      assertThat(rig.types(WORKFLOW, id)).as(id).endsWith("workflow.failed");
    }
  }

  @Test
  void anEventTooLargeForTheBrokerIsShortenedAndHoldsUpNobody() { // F08
    rig.processor("worker-1", CLOCK, List.of(pass("quick")), List.of(), "processor.workflows=1");
    // A stranger's task, as large as the broker takes it; its dead letter carries it once more.
    var data = Json.object().put("much", "x".repeat(1_048_000));
    var id = ExecutionNames.newTaskId();
    rig.publish(TASK, new ExecutionEvent.TaskCreated(id, "unknown", data, 0, 0, CLOCK.instant()));
    var input = Json.object();
    input.putObject("quick").put("timeout", "\"".repeat(200_000));
    var odd = rig.workflow(Priority.LOW, input, "quick");

    rig.awaitEnd(TASK, id);
    rig.awaitEnd(WORKFLOW, odd);
    rig.awaitEnd(WORKFLOW, rig.workflow("quick"));

    var dead = rig.events(TASK, id).getLast();
    assertThat(dead.get("eventType").stringValue()).isEqualTo("task.dead_letter");
    assertThat(dead.at("/payload/finalError/code").stringValue()).isEqualTo("UNKNOWN_TASK_TYPE");
    assertThat(rig.types(WORKFLOW, odd)).endsWith("workflow.failed");
  }

  @Test
  void aStopDoesNotWaitForWhatTakesLonger() throws Exception {
    var inside = new CountDownLatch(1);
    var runs = new AtomicInteger();
    var endless =
        step(
            "endless",
            call -> {
              if (runs.incrementAndGet() > 1) return done(call, 0);
              inside.countDown();
              new CountDownLatch(1).await();
              return done(call, 0);
            });
    rig.processor(
        "worker-1",
        CLOCK,
        List.of(endless),
        List.of(),
        "processor.workflows=1",
        "processor.stop-timeout=100ms",
        "processor.lease=10m");
    var id = rig.workflow("endless");
    assertThat(inside.await(20, TimeUnit.SECONDS)).isTrue();

    rig.stopAll(); // every slot is taken: it must not wait for a free one
    rig.processor("worker-2", CLOCK, List.of(endless), List.of());

    rig.awaitEnd(WORKFLOW, id);
    assertThat(runs).hasValue(2);
  }

  @Test
  void aTaskWhoseHolderDiedBeforeLettingGoStillWaitsForItsTime() { // C2.10
    var clock = new TestClock();
    var runs = new AtomicInteger();
    rig.processor(
        "worker-1",
        clock,
        List.of(),
        List.of(
            type(
                "data_export",
                _ -> {
                  if (runs.incrementAndGet() == 1) throw WorkFailure.passing("AWAY", "not now");
                  return Json.object();
                })));
    var id = rig.task("data_export", 3);
    rig.awaitStatus(TASK, id, ExecutionStatus.RETRYING);
    await().until(() -> "timer".equals(rig.record(TASK, id).get("place")));
    var next =
        ExecutionTime.decode(rig.record(TASK, id).getOrDefault("nextRetryAt", "")).orElseThrow();
    // As if its holder had died: the lease has run out, the task was not put off.
    rig.resp().call("ZREM", "tasks:timers", id);
    rig.resp().call("HSET", "task:" + id, "place", "running");
    rig.resp().call("ZADD", "tasks:running", "1", id);
    await().until(() -> "timer".equals(rig.record(TASK, id).get("place")));

    assertThat(runs).hasValue(1);
    assertThat(rig.resp().call("ZSCORE", "tasks:timers", id))
        .isEqualTo(String.valueOf(next.toEpochMilli()));
    clock.set(next);
    rig.awaitEnd(TASK, id);
  }

  @Test
  void aWorkflowThatGetsOnIsNotTakenForOneThatKillsItsProcess() {
    var steps = new String[8];
    for (int i = 0; i < steps.length; i++) steps[i] = "quick";
    var lost = new AtomicInteger();
    rig.processor(
        "worker-1",
        CLOCK,
        List.of(
            step(
                "quick",
                call -> {
                  var key = "lost:" + call.id();
                  if (rig.redisCall("SETNX", key, "1").equals(1L)) {
                    lost.incrementAndGet();
                    // Somebody takes it over in the midst of each step.
                    takeAway(call.workflowId());
                    new CountDownLatch(1).await();
                  }
                  return done(call, 0);
                })),
        List.of(),
        "processor.lease=500ms",
        "processor.max-takes=3");

    var shown = rig.awaitEnd(WORKFLOW, rig.workflow(steps));

    assertThat(shown.get("status").stringValue()).isEqualTo("completed");
    assertThat(lost).hasValue(8);
  }

  @Test
  void aWorkflowThatKillsEveryProcessIsGivenUp() { // F25
    rig.processor(
        "worker-1",
        CLOCK,
        List.of(
            pass("harmless"),
            step(
                "deadly",
                call -> {
                  takeAway(call.workflowId());
                  new CountDownLatch(1).await();
                  return done(call, 0);
                })),
        List.of(),
        "processor.lease=500ms",
        "processor.max-takes=2");

    var shown = rig.awaitEnd(WORKFLOW, rig.workflow("harmless", "deadly"));

    assertThat(shown.at("/error/code").stringValue()).isEqualTo("PROCESS_DIED");
    assertThat(shown.get("currentStep").stringValue()).isEqualTo("deadly");
  }

  @Test
  void whatWasKeptBackIsShownWhileTheNextStepRuns() { // C2.7
    var gate = new CountDownLatch(1);
    rig.processor("worker-1", CLOCK, List.of(pass("quick"), gate(gate)), List.of());
    var id = rig.workflow("quick", "gate");

    await().until(() -> "1".equals(rig.record(WORKFLOW, id).get("stepsCompleted")));
    var shown = rig.show(WORKFLOW, id);
    await().until(() -> rig.types(WORKFLOW, id).size() == 3);
    gate.countDown();

    assertThat(shown.get("status").stringValue()).isEqualTo("processing");
    assertThat(shown.get("currentStep").stringValue()).isEqualTo("gate");
    rig.awaitEnd(WORKFLOW, id);
    assertThat(rig.types(WORKFLOW, id))
        .containsExactly(
            "workflow.created",
            "workflow.processing",
            "workflow.step.completed",
            "workflow.step.completed",
            "workflow.completed");
  }

  @Test
  void whatAStoppingProcessorKeptBackIsNotDoneAgain() throws Exception { // C2.7
    var inGate = new CountDownLatch(1);
    var runs = new AtomicInteger();
    var counted =
        step(
            "counted",
            call -> {
              runs.incrementAndGet();
              return done(call, 0);
            });
    var stuck =
        step(
            "gate",
            call -> {
              inGate.countDown();
              new CountDownLatch(1).await();
              return done(call, 0);
            });
    var first =
        rig.processor(
            "worker-1",
            CLOCK,
            List.of(counted, stuck),
            List.of(),
            "processor.stop-timeout=10ms",
            "processor.repeatable=1h");
    var id = rig.workflow("counted", "gate");
    assertThat(inGate.await(30, TimeUnit.SECONDS)).isTrue();
    first.stop();

    rig.processor("worker-2", CLOCK, List.of(counted, pass("gate")), List.of());

    rig.awaitEnd(WORKFLOW, id);
    assertThat(runs).hasValue(1);
    assertThat(rig.types(WORKFLOW, id))
        .containsExactly(
            "workflow.created",
            "workflow.processing",
            "workflow.step.completed",
            "workflow.step.completed",
            "workflow.completed");
  }

  // As when the lease of a process has run out.
  private static void takeAway(String id) {
    rig.redisCall("ZREM", "workflows:running", id);
    rig.redisCall("HSET", "workflow:" + id, "place", "ready", "owner", "the late one");
    rig.redisCall("ZADD", "workflows:ready", "0", id);
  }

  @Test
  void aStepThatWaitsIsToldOfTheCancel() throws Exception { // C2.4
    var calledOff = new CountDownLatch(1);
    rig.processor(
        "worker-1",
        CLOCK,
        List.of(
            new Step() {
              @Override
              public String name() {
                return "crawl";
              }

              @Override
              public StepOutcome run(StepCall call) {
                return new StepOutcome.Waiting(Json.object().put("of", "mine"), Duration.ofDays(1));
              }

              @Override
              public void canceled(StepCall call) {
                if (call.state() != null && call.state().has("of")) calledOff.countDown();
              }
            }),
        List.of());
    var id = rig.workflow("crawl");
    await().until(() -> "timer".equals(rig.record(WORKFLOW, id).get("place")));

    ExecutionProcessorIT.cancel(rig, id);

    rig.awaitEnd(WORKFLOW, id);
    assertThat(calledOff.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(rig.types(WORKFLOW, id)).endsWith("workflow.failed");
  }

  @Test
  void whatEndedLongAgoIsForgottenWithWhatItLeft() {
    var clock = new TestClock();
    var left = new ArrayList<String>();
    rig.processor("worker-1", clock, List.of(pass("quick")), List.of());
    var id = rig.workflow("quick");
    rig.awaitEnd(WORKFLOW, id);
    rig.resp().call("HSET", "workflow:" + id, "shelf", "[{\"key\":\"records/a\"}]");
    var store = rig.store(WORKFLOW);

    clock.set(CLOCK.instant().plus(Duration.ofDays(1)));
    left.addAll(rig.store(WORKFLOW, clock).sweepWithShelves(100).shelves());
    assertThat(left).isEmpty();
    clock.set(clock.instant().plus(Duration.ofDays(8)));
    assertThat(rig.store(WORKFLOW, clock).sweep(100).shelves()).isEmpty();
    assertThat(store.exists(id)).isTrue(); // not without what it left
    left.addAll(rig.store(WORKFLOW, clock).sweepWithShelves(100).shelves());

    assertThat(left).containsExactly("[{\"key\":\"records/a\"}]");
    assertThat(store.exists(id)).isFalse();
    assertThat(store.list(null, null, 100, 0).records()).isEmpty();
  }
}
