package io.tidemill.processor;

import static io.tidemill.contract.workflow.ExecutionKind.TASK;
import static io.tidemill.contract.workflow.ExecutionKind.WORKFLOW;
import static io.tidemill.processor.TestSteps.done;
import static io.tidemill.processor.TestSteps.pass;
import static io.tidemill.processor.TestSteps.repeatable;
import static io.tidemill.processor.TestSteps.step;
import static io.tidemill.processor.TestSteps.type;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.api.Step;
import io.tidemill.api.StepCall;
import io.tidemill.api.StepOutcome;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.contract.workflow.Priority;
import io.tidemill.json.Json;
import io.tidemill.processor.ExecutionProcessorIT.TestClock;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisClock;
import io.tidemill.redis.RedisConfig;
import io.tidemill.redis.Script;
import io.tidemill.support.FaultProxy;
import io.tidemill.workflow.ExecutionQueue;
import io.tidemill.workflow.ExecutionStore;
import io.tidemill.workflow.NewExecution;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Trouble that leaves the process alive: answers of the store that get lost, code that does not
/// stop when it is told to, cancels and strangers at odd moments.
class WorkflowTroubleIT {
  private static final InstantSource CLOCK = InstantSource.system();
  private static WorkflowRig rig;

  @BeforeAll
  static void start() {
    rig = new WorkflowRig();
    // Redis knows the scripts from now on: each call is one command.
    rig.processor("first", CLOCK, List.of(pass("quick")), List.of());
    rig.awaitEnd(WORKFLOW, rig.workflow("quick"));
    rig.stopAll();
  }

  @AfterAll
  static void end() {
    rig.close();
  }

  @AfterEach
  void stopProcessors() {
    rig.stopAll();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void anAnswerOfTheStoreThatIsLostLosesNothing(int call) throws Exception { // F05, F32
    var runs = new AtomicInteger();
    var export =
        type(
            "data_export",
            _ -> {
              runs.incrementAndGet();
              return Json.object().put("done", true);
            });
    try (var proxy = new FaultProxy(rig.redisServer().port())) {
      var lost = loseAnswerToSave(proxy, call);
      var settings =
          WorkflowRig.settings(proxy.redisUrl(), "processor.lease=5s", "processor.repeatable=0s");
      var processor =
          WorkflowRig.processor(
              settings,
              rig.kafka().config(),
              new Redis(settings.section(RedisConfig.class)),
              "hard of hearing",
              CLOCK,
              List.of(),
              List.of(export),
              new SimpleMeterRegistry());
      processor.start();
      var id = rig.task("data_export", 3);

      rig.awaitEnd(TASK, id);
      processor.stop();

      assertThat(lost).isTrue();
      assertThat(rig.types(TASK, id))
          .containsExactly("task.created", "task.processing", "task.completed");
      assertThat(runs).hasValue(1); // what is written is not done again, what is not was not begun
      assertThat(rig.record(TASK, id)).containsEntry("status", "completed");
    }
  }

  // The store does what it is asked, and the connection breaks before it can say so.
  private static AtomicBoolean loseAnswerToSave(FaultProxy proxy, int number) {
    var sha = Script.load(ExecutionQueue.class, "/io/tidemill/workflow/save_execution.lua").sha();
    var calls = new AtomicInteger();
    var asked = new AtomicBoolean();
    var lost = new AtomicBoolean();
    proxy.breakWith((wire, fromClient, piece) -> {
      var text = new String(piece, ISO_8859_1);
      if (fromClient && text.contains(sha) && text.contains("\r\ntasks\r\n")) {
        asked.set(calls.incrementAndGet() == number);
      }
      if (fromClient || !asked.get() || !text.contains("saved") || lost.getAndSet(true)) {
        return true;
      }
      wire.fin();
      return false;
    });
    return lost;
  }

  @Test
  void codeThatDoesNotStopLosesItsSlotAndItsSay() throws Exception { // C2.7
    var release = new CountDownLatch(1);
    var runs = new AtomicInteger();
    rig.processor(
        "worker-1",
        CLOCK,
        List.of(
            pass("quick"),
            step(
                "deaf",
                call -> {
                  if (runs.incrementAndGet() == 1) awaitDeaf(release);
                  return done(call, 0);
                })),
        List.of(),
        "processor.workflows=1",
        "processor.step-timeout=200ms");
    var id = rig.workflow("deaf");
    var next = rig.workflow("quick");

    rig.awaitEnd(WORKFLOW, next); // the only slot is free again
    var shown = rig.awaitEnd(WORKFLOW, id);
    release.countDown();

    assertThat(shown.get("status").stringValue()).isEqualTo("completed");
    assertThat(runs).hasValue(2);
    assertThat(rig.types(WORKFLOW, id))
        .containsExactly(
            "workflow.created",
            "workflow.processing",
            "workflow.step.completed",
            "workflow.completed");
  }

  private static void awaitDeaf(CountDownLatch release) {
    while (true) {
      try {
        release.await();
        return;
      } catch (InterruptedException ignored) {
        // That is the point.
      }
    }
  }

  @Test
  void aCanceledWorkflowCallsOffTheStepThatItIsIn() throws Exception { // C2.4
    var inside = new CountDownLatch(1);
    var calledOff = new ArrayList<String>();
    rig.processor(
        "worker-1",
        CLOCK,
        List.of(noting("before", calledOff, null), noting("here", calledOff, inside)),
        List.of());
    var id = rig.workflow("before", "here");
    assertThat(inside.await(20, TimeUnit.SECONDS)).isTrue();
    await().until(() -> "1".equals(rig.record(WORKFLOW, id).get("stepsCompleted")));

    ExecutionProcessorIT.cancel(rig, id);

    rig.awaitEnd(WORKFLOW, id);
    assertThat(calledOff).containsExactly("here 1");
  }

  private static Step noting(String name, List<String> calledOff, @Nullable CountDownLatch inside) {
    return new Step() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public StepOutcome run(StepCall call) throws Exception {
        if (inside == null) return done(call, 0);
        inside.countDown();
        new CountDownLatch(1).await();
        return done(call, 0);
      }

      @Override
      public void canceled(StepCall call) {
        calledOff.add(name + " " + call.index());
      }
    };
  }

  @Test
  void aStepsOwnLimitIsForItsWaitingToo() { // C2.7
    var clock = new TestClock();
    var calledOff = new AtomicInteger();
    var waits =
        new Step() {
          @Override
          public String name() {
            return "waits";
          }

          @Override
          public StepOutcome run(StepCall call) {
            return new StepOutcome.Waiting(Json.object().put("polls", 1), Duration.ofSeconds(10));
          }

          @Override
          public void canceled(StepCall call) {
            if (call.state() != null) calledOff.incrementAndGet();
          }
        };
    rig.processor("worker-1", clock, List.of(waits), List.of());
    var input = Json.object();
    input.putObject("waits").put("timeout", "30s");
    var id = rig.workflow(Priority.MEDIUM, input, "waits");

    for (int i = 0; i < 4; i++) {
      var at = clock.instant();
      await().until(() -> isAt(id, at.plusSeconds(10).toEpochMilli()) || hasEnded(id));
      clock.set(at.plusSeconds(10));
    }

    var shown = rig.awaitEnd(WORKFLOW, id);
    assertThat(shown.at("/error/code").stringValue()).isEqualTo("TIMEOUT");
    assertThat(calledOff).hasValue(1);
  }

  private static boolean isAt(String id, long millis) {
    return String.valueOf(millis).equals(rig.resp().call("ZSCORE", "workflows:timers", id));
  }

  private static boolean hasEnded(String id) {
    return "done".equals(rig.record(WORKFLOW, id).get("place"));
  }

  @Test
  void whoseClockIsWrongKeepsToTheTimeThatAllShare() { // F14
    var days = Duration.ofDays(2);
    var ahead = new RedisClock(rig.redis(), () -> CLOCK.instant().plus(days));
    var behind = new RedisClock(rig.redis(), () -> CLOCK.instant().minus(days));
    var held = new CountDownLatch(1);
    rig.processor("ahead", ahead, List.of(TestSteps.gate(held), pass("quick")), List.of());
    rig.processor("behind", behind, List.of(TestSteps.gate(held), pass("quick")), List.of());

    var ids = new ArrayList<String>();
    for (int i = 0; i < 10; i++) ids.add(rig.workflow("gate", "quick"));
    for (var id : ids) rig.awaitStatus(WORKFLOW, id, ExecutionStatus.PROCESSING);
    held.countDown();

    for (var id : ids) {
      rig.awaitEnd(WORKFLOW, id);
      assertThat(rig.record(WORKFLOW, id)).as(id).containsEntry("run", "1"); // nobody took it away
    }
    assertThat(ahead.instant()).isCloseTo(CLOCK.instant(), within(1, ChronoUnit.MINUTES));
    assertThat(behind.instant()).isCloseTo(CLOCK.instant(), within(1, ChronoUnit.MINUTES));
  }

  @Test
  void whoTakesItsOwnAgainHasNotDied() { // F25
    var lost = new AtomicInteger();
    rig.processor(
        "worker-1",
        CLOCK,
        List.of(
            step(
                "unlucky",
                call -> {
                  if (lost.incrementAndGet() <= 4) {
                    // As after an answer to the taker that never came, and its lease.
                    rig.redisCall("ZREM", "workflows:running", call.workflowId());
                    rig.redisCall("HSET", "workflow:" + call.workflowId(), "place", "ready");
                    rig.redisCall("ZADD", "workflows:ready", "0", call.workflowId());
                    new CountDownLatch(1).await();
                  }
                  return done(call, 0);
                })),
        List.of(),
        "processor.workflows=2", // nor does it lose the slots of what it lost
        "processor.max-takes=2",
        "processor.lease=2s");

    var shown = rig.awaitEnd(WORKFLOW, rig.workflow("unlucky"));

    assertThat(shown.get("status").stringValue()).isEqualTo("completed");
    assertThat(lost).hasValue(5);
  }

  @Test
  void whatIsCanceledBeforeAnybodyReadItKeepsToItsPartition() { // C2.2, C2.4
    var id = rig.workflow("quick");
    var partition = rig.records(WORKFLOW, id).getFirst().partition();
    var created =
        new ExecutionEvent.WorkflowCreated(
            id, "Test", List.of("quick"), Priority.LOW, CLOCK.instant(), null);
    rig.store(WORKFLOW).note(NewExecution.of(created, Map.of()));
    ExecutionProcessorIT.cancel(rig, id);

    rig.processor("worker-1", CLOCK, List.of(pass("quick")), List.of());

    rig.awaitEnd(WORKFLOW, id);
    await().until(() -> rig.record(WORKFLOW, id).containsKey("partition"));
    assertThat(rig.types(WORKFLOW, id)).containsExactly("workflow.created", "workflow.failed");
    assertThat(rig.record(WORKFLOW, id)).containsEntry("partition", String.valueOf(partition));
  }

  @Test
  void whatAStrangerBeganAndLeftIsBegunAnew() { // C2.7
    var id = rig.workflow("quick", "quick");
    var created =
        new ExecutionEvent.WorkflowCreated(
            id, "Test", List.of("quick", "quick"), Priority.LOW, CLOCK.instant(), null);
    var store = rig.store(WORKFLOW);
    store.note(NewExecution.of(created, Map.of()));
    var fields = Map.of("currentStep", "quick", "currentStepIndex", "1");
    store.report(id, new ExecutionStore.Report("", ExecutionStatus.PROCESSING, null, null, fields));
    assertThat(rig.record(WORKFLOW, id)).containsEntry("place", "foreign");

    rig.processor(
        "worker-1", CLOCK, List.of(pass("quick")), List.of(), "processor.foreign-silence=300ms");

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
  void followersAreNotToldWhereInTheCodeItWentWrong() {
    rig.processor("worker-1", CLOCK, List.of(), List.of());
    var workflow = rig.workflow("unknown");
    var task = rig.task("unknown", 0);
    rig.awaitEnd(WORKFLOW, workflow);
    rig.awaitEnd(TASK, task);

    var told =
        String.valueOf(rig.resp().call("XRANGE", WORKFLOW.events(workflow), "-", "+"))
            + rig.resp().call("XRANGE", TASK.events(task), "-", "+");

    assertThat(told).contains("UNKNOWN_STEP", "UNKNOWN_TASK_TYPE").doesNotContain("stack");
  }

  @Test
  void whatAStrangerWroteBesideTheContractComesBack() { // G1
    rig.processor("worker-1", CLOCK, List.of(), List.of());
    var id = ExecutionNames.newTaskId();
    var more = Json.object().put("tenant", "a");
    var data = Json.object().put("of", "theirs");
    rig.publish(
        TASK, new ExecutionEvent.TaskCreated(id, "their_type", data, 0, 0, CLOCK.instant(), more));

    rig.awaitEnd(TASK, id);

    var original = rig.events(TASK, id).getLast().at("/payload/originalEvent/payload");
    assertThat(original.get("tenant").stringValue()).isEqualTo("a");
  }

  @Test
  void anEventThatNobodyCanReadHoldsUpNobodyElse() { // F09
    var broken = rig.workflow("quick");
    var created =
        new ExecutionEvent.WorkflowCreated(
            broken, "Test", List.of("quick"), Priority.HIGH, CLOCK.instant(), null);
    rig.store(WORKFLOW).note(NewExecution.of(created, Map.of()));
    ExecutionProcessorIT.cancel(rig, broken);
    rig.resp().call("RPUSH", "workflow:" + broken + ":outbox", "{broken");

    rig.processor("worker-1", CLOCK, List.of(pass("quick")), List.of(), "processor.lease=300ms");

    for (int i = 0; i < 3; i++) rig.awaitEnd(WORKFLOW, rig.workflow("quick"));
    await().until(() -> Integer.parseInt(rig.record(WORKFLOW, broken).get("run")) > 2);
    rig.awaitEnd(WORKFLOW, rig.workflow("quick"));
    rig.resp().call("DEL", "workflow:" + broken + ":outbox");
    rig.awaitEnd(WORKFLOW, broken);
  }

  @Test
  void onlyTheEventThatIsTooLargeIsShortened() throws Exception { // F08
    try (var own = new WorkflowRig();
        var admin = Admin.create(Map.of("bootstrap.servers", own.kafka().config().bootstrap()))) {
      var topic = new ConfigResource(ConfigResource.Type.TOPIC, ExecutionNames.WORKFLOWS);
      var limit =
          new AlterConfigOp(
              new ConfigEntry("max.message.bytes", "20000"), AlterConfigOp.OpType.SET);
      admin.incrementalAlterConfigs(Map.of(topic, List.of(limit))).all().get();
      own.processor(
          "worker-1", CLOCK, List.of(result("small", 10), result("large", 100_000)), List.of());

      var id = own.workflow("small", "large", "small");

      own.awaitEnd(WORKFLOW, id);
      var results =
          own.events(WORKFLOW, id).stream()
              .map(event -> event.at("/payload/result"))
              .filter(result -> result.isObject())
              .map(result -> result.has("much") ? "whole" : "cut");
      assertThat(results).containsExactly("whole", "cut", "whole");
      assertThat(own.types(WORKFLOW, id)).endsWith("workflow.completed");
    }
  }

  private static Step result(String name, int length) {
    return repeatable(
        name,
        call ->
            new StepOutcome.Done(
                Json.object().put("much", "x".repeat(length)),
                call.input(),
                StepOutcome.Counts.all(1)));
  }

  @Test
  void oldTasksAreForgottenByProcessorsToo() {
    var clock = new TestClock();
    clock.set(CLOCK.instant());
    rig.processor("worker-1", clock, List.of(), List.of(type("data_export", _ -> Json.object())));
    var ids = new ArrayList<String>();
    for (int i = 0; i < 250; i++) ids.add(rig.task("data_export", 0));
    for (var id : ids) rig.awaitEnd(TASK, id);
    clock.set(clock.instant().plus(Duration.ofDays(8)));

    new ExecutionSweeper(rig.store(TASK, clock), new MemoryRecords()).sweep();

    assertThat(ids).noneMatch(rig.store(TASK)::exists);
  }

  @Test
  void aLongEventIsNotOvertakenByShortOnes() { // F08
    rig.processor("worker-1", CLOCK, List.of(result("long", 100_000), pass("quick")), List.of());

    var id = rig.workflow("quick", "long", "quick");

    rig.awaitEnd(WORKFLOW, id);
    var indexes =
        rig.events(WORKFLOW, id).stream()
            .filter(event -> event.at("/payload/stepIndex").isNumber())
            .map(event -> event.at("/payload/stepIndex").intValue());
    assertThat(indexes).containsExactly(0, 1, 2);
    assertThat(rig.record(ExecutionKind.WORKFLOW, id))
        .containsEntry("status", ExecutionStatus.COMPLETED.wire());
  }
}
