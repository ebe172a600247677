package io.tidemill.processor;

import static io.tidemill.contract.workflow.ExecutionKind.TASK;
import static io.tidemill.contract.workflow.ExecutionKind.WORKFLOW;
import static io.tidemill.processor.TestSteps.done;
import static io.tidemill.processor.TestSteps.gate;
import static io.tidemill.processor.TestSteps.note;
import static io.tidemill.processor.TestSteps.pass;
import static io.tidemill.processor.TestSteps.step;
import static io.tidemill.processor.TestSteps.type;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.api.StepOutcome;
import io.tidemill.api.StepOutcome.Counts;
import io.tidemill.api.WorkFailure;
import io.tidemill.contract.workflow.ExecutionCodec;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionEvent.TaskCreated;
import io.tidemill.contract.workflow.ExecutionMessage;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.contract.workflow.ExecutionTime;
import io.tidemill.contract.workflow.Priority;
import io.tidemill.json.Json;
import io.tidemill.kafka.KafkaHeader;
import io.tidemill.kafka.OutgoingRecord;
import io.tidemill.work.Settlement;
import io.tidemill.workflow.ExecutionStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The engine on a real Kafka and a real Redis (C2.5 to C2.10).
class ExecutionProcessorIT {
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
  void aWorkflowGoesThroughItsStepsAndTellsOfEach() { // C2.3, C2.7
    rig.processor(
        "worker-1",
        CLOCK,
        List.of(
            step(
                "validate",
                call ->
                    new StepOutcome.Done(
                        Json.object().put("recordsProcessed", 1000).put("validRecords", 950),
                        MemoryRecords.of(List.of(Json.tree(7))),
                        new Counts(1000, 950, 50))),
            step(
                "store",
                call -> {
                  try (var records = call.input().open()) {
                    assertThat(records.next()).isEqualTo(Json.tree(7));
                  }
                  return done(call, 1);
                })),
        List.of());
    var id = rig.workflow("validate", "store");

    var shown = rig.awaitEnd(WORKFLOW, id);

    var events = rig.events(WORKFLOW, id);
    assertThat(rig.types(WORKFLOW, id))
        .containsExactly(
            "workflow.created",
            "workflow.processing",
            "workflow.step.completed",
            "workflow.step.completed",
            "workflow.completed");
    assertThat(events.get(1).at("/payload/currentStep").stringValue()).isEqualTo("validate");
    assertThat(events.get(2).at("/payload/result/validRecords").intValue()).isEqualTo(950);
    assertThat(events.get(4).at("/payload/stepsCompleted").intValue()).isEqualTo(2);
    assertThat(events.get(4).at("/payload/summary"))
        .isEqualTo(
            Json.parse("{\"totalRecords\":1000,\"successfulRecords\":950,\"failedRecords\":50}"));
    assertThat(events.get(4).at("/metadata/processorId").stringValue()).isEqualTo("worker-1");
    assertThat(shown.get("status").stringValue()).isEqualTo("completed");
    assertThat(shown.get("results")).hasSize(2);
    var places = rig.records(WORKFLOW, id).stream().map(record -> record.partition()).distinct();
    assertThat(places).hasSize(1);
  }

  @Test
  void aStepThatNobodyKnowsEndsTheWorkflow() { // C2.8, C2.12
    rig.processor("worker-1", CLOCK, List.of(pass("known")), List.of());
    var value =
        "{\"eventType\":\"workflow.created\",\"eventId\":\"test-1\",\"timestamp\":\"2026-01-04T01:00:00Z\","
            + "\"payload\":{\"workflowId\":\"wf-test\",\"name\":\"Test\",\"steps\":[\"step1\"],"
            + "\"priority\":\"low\",\"createdAt\":\"2026-01-04T01:00:00Z\"}}";
    rig.kafka().publish(ExecutionNames.WORKFLOWS, "wf-test", value);

    var shown = rig.awaitEnd(WORKFLOW, "wf-test");

    assertThat(rig.types(WORKFLOW, "wf-test"))
        .containsExactly("workflow.created", "workflow.processing", "workflow.failed");
    var failed = rig.events(WORKFLOW, "wf-test").getLast();
    assertThat(failed.at("/payload/error/code").stringValue()).isEqualTo("UNKNOWN_STEP");
    assertThat(failed.at("/payload/failedStep").stringValue()).isEqualTo("step1");
    assertThat(shown.at("/error/message").stringValue()).contains("step1").contains("known");
  }

  @Test
  void stepsAndInputAreLookedAtBeforeTheFirstStepStarts() { // C2.8
    var runs = new AtomicInteger();
    rig.processor(
        "worker-1",
        CLOCK,
        List.of(
            step(
                "count",
                call -> {
                  runs.incrementAndGet();
                  return done(call, 0);
                })),
        List.of());
    var input = Json.object();
    input.putObject("coutn");

    var unknown = rig.awaitEnd(WORKFLOW, rig.workflow("count", "later"));
    var stray = rig.awaitEnd(WORKFLOW, rig.workflow(Priority.LOW, input, "count"));

    assertThat(runs).hasValue(0);
    assertThat(unknown.at("/error/code").stringValue()).isEqualTo("UNKNOWN_STEP");
    assertThat(unknown.get("currentStep").stringValue()).isEqualTo("later");
    assertThat(stray.at("/error/message").stringValue()).contains("'coutn'").contains("count");
  }

  @Test
  void aFailingTaskIsRetriedInGrowingPausesAndThenDead() { // C2.10
    var clock = new TestClock();
    rig.processor(
        "worker-1",
        clock,
        List.of(),
        List.of(
            type(
                "email_notification",
                _ -> {
                  throw WorkFailure.passing("SMTP_ERROR", "Connection timeout to mail server");
                })));
    var id = rig.task("email_notification", 3);
    var pauses = new ArrayList<Duration>();
    for (int retry = 1; retry <= 3; retry++) {
      var expected = String.valueOf(retry);
      await().until(() -> expected.equals(rig.record(TASK, id).get("retryCount")));
      var shown = rig.awaitStatus(TASK, id, ExecutionStatus.RETRYING);
      await().until(() -> "timer".equals(rig.record(TASK, id).get("place")));
      var next = ExecutionTime.decode(shown.get("nextRetryAt").stringValue()).orElseThrow();
      pauses.add(Duration.between(clock.instant(), next));
      clock.set(next.minusMillis(1));
      assertThat(rig.record(TASK, id)).containsEntry("place", "timer");
      clock.set(next);
    }

    var shown = rig.awaitEnd(TASK, id);

    assertThat(rig.types(TASK, id))
        .containsExactly(
            "task.created",
            "task.processing",
            "task.failed",
            "task.processing",
            "task.failed",
            "task.processing",
            "task.failed",
            "task.processing",
            "task.dead_letter");
    var counts =
        rig.events(TASK, id).stream().map(event -> event.at("/payload/retryCount").intValue());
    assertThat(counts).containsExactly(0, 0, 1, 1, 2, 2, 3, 3, 3);
    assertThat(pauses.getFirst()).isEqualTo(Duration.ofSeconds(30));
    assertThat(pauses.get(1)).isBetween(Duration.ofSeconds(45), Duration.ofSeconds(60));
    assertThat(pauses.get(2)).isBetween(Duration.ofSeconds(90), Duration.ofSeconds(120));
    var dead = rig.events(TASK, id).getLast();
    assertThat(dead.at("/payload/originalEvent/payload/taskId").stringValue()).isEqualTo(id);
    assertThat(dead.at("/payload/originalEvent/eventType").stringValue()).isEqualTo("task.created");
    assertThat(dead.at("/payload/finalError/code").stringValue()).isEqualTo("SMTP_ERROR");
    assertThat(shown.get("status").stringValue()).isEqualTo("dead_letter");
  }

  @Test
  void anErrorThatCannotPassIsDeadAtOnceAndSoIsATypeThatNobodyKnows() { // C2.9, C2.10
    rig.processor(
        "worker-1",
        CLOCK,
        List.of(),
        List.of(
            type(
                "data_export",
                _ -> {
                  throw WorkFailure.permanent("NO_SUCH_SOURCE", "there is nothing to export");
                })));
    var hopeless = rig.task("data_export", 3);
    var unknown = rig.task("make_coffee", 3);

    rig.awaitEnd(TASK, hopeless);
    var shown = rig.awaitEnd(TASK, unknown);

    assertThat(rig.types(TASK, hopeless))
        .containsExactly("task.created", "task.processing", "task.dead_letter");
    assertThat(rig.types(TASK, unknown)).containsExactly("task.created", "task.dead_letter");
    assertThat(shown.at("/error/code").stringValue()).isEqualTo("UNKNOWN_TASK_TYPE");
  }

  @Test
  void aPassingErrorOfAStepIsTriedAgain() { // C2.8
    var tries = new AtomicInteger();
    rig.processor(
        "worker-1",
        CLOCK,
        List.of(
            step(
                "store",
                call -> {
                  if (tries.incrementAndGet() < 3) throw WorkFailure.passing("AWAY", "not now");
                  return done(call, 1);
                })),
        List.of());

    var shown = rig.awaitEnd(WORKFLOW, rig.workflow("store"));

    assertThat(shown.get("status").stringValue()).isEqualTo("completed");
    assertThat(tries).hasValue(3);
  }

  @Test
  void aStepThatTakesTooLongIsStoppedAndTriedAgainUntilItFails() { // C2.7
    var tries = new AtomicInteger();
    rig.processor(
        "worker-1",
        CLOCK,
        List.of(
            step(
                "slow",
                call -> {
                  tries.incrementAndGet();
                  new CountDownLatch(1).await();
                  return done(call, 1);
                })),
        List.of(),
        "processor.step-attempts=2");
    var input = Json.object();
    input.putObject("slow").put("timeout", "200ms");

    var shown = rig.awaitEnd(WORKFLOW, rig.workflow(Priority.LOW, input, "slow"));

    assertThat(shown.at("/error/code").stringValue()).isEqualTo("TIMEOUT");
    assertThat(tries).hasValue(2);
  }

  @Test
  void aStepThatWaitsKeepsItsStateAndHoldsNoSlot() { // C2.8
    var other = new CountDownLatch(1);
    rig.processor(
        "worker-1",
        CLOCK,
        List.of(
            step(
                "crawl",
                call -> {
                  var state = call.state() == null ? Json.object().put("n", 0) : call.state();
                  var n = state.get("n").intValue();
                  if (n == 2 && other.getCount() == 0) return done(call, 3);
                  return new StepOutcome.Waiting(
                      Json.object().put("n", Math.min(2, n + 1)), Duration.ofMillis(50));
                }),
            step(
                "other",
                call -> {
                  other.countDown();
                  return done(call, 0);
                })),
        List.of(),
        "processor.workflows=1");
    var waiting = rig.workflow("crawl");
    await().until(() -> rig.record(WORKFLOW, waiting).containsKey("state"));

    rig.awaitEnd(WORKFLOW, rig.workflow("other"));
    rig.awaitEnd(WORKFLOW, waiting);

    assertThat(rig.types(WORKFLOW, waiting))
        .containsExactly(
            "workflow.created",
            "workflow.processing",
            "workflow.step.completed",
            "workflow.completed");
  }

  @Test
  void whatIsUrgentStartsFirstAndWhatIsNotStillStarts() { // C2.6
    var gate = new CountDownLatch(1);
    var order = new ConcurrentLinkedQueue<String>();
    rig.processor(
        "worker-1", CLOCK, List.of(gate(gate), note(order)), List.of(), "processor.workflows=1");
    var blocker = rig.workflow("gate");
    rig.awaitStatus(WORKFLOW, blocker, ExecutionStatus.PROCESSING);
    var low = rig.workflow(Priority.LOW, null, "note");
    var medium = rig.workflow(Priority.MEDIUM, null, "note");
    var high = rig.workflow(Priority.HIGH, null, "note");
    await().until(() -> rig.store(WORKFLOW).depths().getOrDefault("ready", 0L) == 3);

    gate.countDown();
    for (var id : List.of(low, medium, high)) rig.awaitEnd(WORKFLOW, id);

    assertThat(order).containsExactly(high, medium, low);
  }

  @Test
  void aLowWorkflowThatWaitedLongGoesBeforeANewHighOne() { // C2.6
    var clock = new TestClock();
    var gate = new CountDownLatch(1);
    var order = new ConcurrentLinkedQueue<String>();
    rig.processor(
        "worker-1",
        clock,
        List.of(gate(gate), note(order)),
        List.of(),
        "processor.workflows=1",
        "processor.lease=10m");
    rig.awaitStatus(WORKFLOW, rig.workflow("gate"), ExecutionStatus.PROCESSING);
    var low = rig.workflow(Priority.LOW, null, "note");
    await().until(() -> rig.store(WORKFLOW).depths().getOrDefault("ready", 0L) == 1);
    clock.set(clock.instant().plusSeconds(61));
    var high = rig.workflow(Priority.HIGH, null, "note");
    await().until(() -> rig.store(WORKFLOW).depths().getOrDefault("ready", 0L) == 2);

    gate.countDown();
    rig.awaitEnd(WORKFLOW, high);
    rig.awaitEnd(WORKFLOW, low);

    assertThat(order).containsExactly(low, high);
  }

  @Test
  void aSlowWorkflowDoesNotHoldUpItsPartition() { // C2.6
    var gate = new CountDownLatch(1);
    rig.processor("worker-1", CLOCK, List.of(gate(gate), pass("quick")), List.of());
    var slow = rig.workflow("gate");
    rig.awaitStatus(WORKFLOW, slow, ExecutionStatus.PROCESSING);

    var others = new ArrayList<String>();
    for (int i = 0; i < 30; i++) others.add(rig.workflow("quick"));
    for (var id : others) rig.awaitEnd(WORKFLOW, id);

    assertThat(rig.record(WORKFLOW, slow)).containsEntry("status", "processing");
    gate.countDown();
    rig.awaitEnd(WORKFLOW, slow);
  }

  @Test
  void aRunningWorkflowThatIsCanceledStopsAndSaysSo() throws Exception { // C2.4, F32
    var inside = new CountDownLatch(1);
    var interrupted = new CountDownLatch(1);
    rig.processor(
        "worker-1",
        CLOCK,
        List.of(
            step(
                "endless",
                call -> {
                  inside.countDown();
                  try {
                    new CountDownLatch(1).await();
                  } catch (InterruptedException stopped) {
                    interrupted.countDown();
                    throw stopped;
                  }
                  return done(call, 0);
                })),
        List.of());
    var id = rig.workflow("endless");
    assertThat(inside.await(20, TimeUnit.SECONDS)).isTrue();
    rig.awaitStatus(WORKFLOW, id, ExecutionStatus.PROCESSING);

    assertThat(cancel(id).what()).isEqualTo(ExecutionStore.Canceled.CANCELED);
    rig.awaitEnd(WORKFLOW, id);

    assertThat(interrupted.getCount()).isZero();
    assertThat(rig.types(WORKFLOW, id))
        .containsExactly("workflow.created", "workflow.processing", "workflow.failed");
    assertThat(rig.events(WORKFLOW, id).getLast().at("/payload/error/code").stringValue())
        .isEqualTo("CANCELED");
    assertThat(rig.record(WORKFLOW, id)).containsEntry("status", "canceled");
    assertThat(cancel(id).what()).isEqualTo(ExecutionStore.Canceled.ENDED);
  }

  @Test
  void aWorkflowThatIsCanceledBeforeItStartsNeverDoes() { // C2.4
    var runs = new AtomicInteger();
    var gate = new CountDownLatch(1);
    rig.processor(
        "worker-1",
        CLOCK,
        List.of(
            gate(gate),
            step(
                "count",
                call -> {
                  runs.incrementAndGet();
                  return done(call, 0);
                })),
        List.of(),
        "processor.workflows=1");
    var blocker = rig.workflow("gate");
    rig.awaitStatus(WORKFLOW, blocker, ExecutionStatus.PROCESSING);
    var id = rig.workflow("count");
    rig.awaitStatus(WORKFLOW, id, ExecutionStatus.PENDING);

    cancel(id);
    gate.countDown();
    rig.awaitEnd(WORKFLOW, id);

    assertThat(runs).hasValue(0);
    assertThat(rig.types(WORKFLOW, id)).containsExactly("workflow.created", "workflow.failed");
  }

  private static ExecutionStore.Answer<ExecutionStore.Canceled> cancel(String id) {
    return cancel(rig, id);
  }

  static ExecutionStore.Answer<ExecutionStore.Canceled> cancel(WorkflowRig rig, String id) {
    var now = CLOCK.instant();
    var event =
        new ExecutionEvent.WorkflowFailed(
            id,
            now,
            "step",
            0,
            new io.tidemill.contract.workflow.ExecutionError(
                ExecutionNames.CANCELED, "canceled", "", null));
    var message = ExecutionMessage.of(event, now, Json.object());
    return rig.store(WORKFLOW).cancel(id, message, "{}");
  }

  @Test
  void theSameEventTwiceIsOneWorkflow() { // F07
    var runs = new AtomicInteger();
    rig.processor(
        "worker-1",
        CLOCK,
        List.of(
            step(
                "count",
                call -> {
                  runs.incrementAndGet();
                  return done(call, 0);
                })),
        List.of());
    var created =
        new ExecutionEvent.WorkflowCreated(
            ExecutionNames.newWorkflowId(),
            "Twice",
            List.of("count"),
            Priority.LOW,
            CLOCK.instant(),
            null);
    rig.publish(WORKFLOW, created);
    rig.publish(WORKFLOW, created);
    rig.awaitEnd(WORKFLOW, created.id());
    rig.publish(WORKFLOW, created);
    var later = rig.workflow("count");
    rig.awaitEnd(WORKFLOW, later);
    rig.awaitIdle();

    assertThat(runs).hasValue(2);
    assertThat(rig.types(WORKFLOW, created.id()))
        .filteredOn("workflow.completed"::equals)
        .hasSize(1);
  }

  @Test
  void aForeignTaskFailureIsRetriedByUs() { // C2.10
    var runs = new AtomicInteger();
    var created =
        new TaskCreated(
            ExecutionNames.newTaskId(), "data_export", Json.object(), 0, 3, CLOCK.instant());
    var failed = new AtomicReference<>(0);
    rig.processor(
        "worker-1",
        CLOCK,
        List.of(),
        List.of(
            type(
                "data_export",
                call -> {
                  if (runs.incrementAndGet() == 1) throw WorkFailure.passing("AWAY", "not now");
                  failed.set(call.retryCount());
                  return Json.object().put("done", true);
                })),
        "processor.retry-after=1h",
        "processor.retry-most=2h");
    rig.publish(TASK, created);
    rig.awaitStatus(TASK, created.id(), ExecutionStatus.RETRYING);
    await().until(() -> "timer".equals(rig.record(TASK, created.id()).get("place")));

    var now = CLOCK.instant();
    rig.publish(
        TASK,
        new ExecutionEvent.TaskFailed(
            created.id(),
            now,
            2,
            3,
            new io.tidemill.contract.workflow.ExecutionError("THEIRS", "their own", null, true),
            now));
    rig.awaitEnd(TASK, created.id());

    assertThat(failed.get()).isEqualTo(2);
  }

  @Test
  void eventsSinceTheTopicsWereMadeAreProcessedByTheVeryFirstProcessor() { // C2.5, F01
    try (var fresh = new WorkflowRig()) {
      var ids = new ArrayList<String>();
      for (int i = 0; i < 20; i++) ids.add(fresh.workflow("quick"));

      fresh.processor("worker-1", CLOCK, List.of(pass("quick")), List.of());

      for (var id : ids) fresh.awaitEnd(WORKFLOW, id);
    }
  }

  @Test
  void whatCannotBeReadGoesToTheDeadLettersAndOthersGoOn() throws Exception { // F09, F12
    rig.processor("worker-1", CLOCK, List.of(pass("quick")), List.of());
    rig.kafka().publish(ExecutionNames.WORKFLOWS, "poison", "{not json");
    rig.kafka()
        .publish(
            ExecutionNames.WORKFLOWS,
            "odd",
            "{\"eventType\":\"workflow.created\",\"eventId\":\"e\",\"timestamp\":\"2026-01-04T01:00:00Z\","
                + "\"payload\":{\"workflowId\":\"odd\",\"name\":\"x\",\"steps\":[],\"priority\":\"urgent\"}}");
    rig.kafka()
        .publish(
            ExecutionNames.WORKFLOWS,
            "later",
            "{\"eventType\":\"workflow.created.v2\",\"eventId\":\"e\",\"timestamp\":\"2026-01-04T01:00:00Z\",\"payload\":{}}");
    var id = rig.workflow("quick");

    rig.awaitEnd(WORKFLOW, id);
    var dead = new ConcurrentLinkedQueue<String>();
    rig.kafka()
        .consume(
            io.tidemill.support.TestKafka.settings("graveyard", "workflows.dead"),
            attempt -> {
              dead.add(io.tidemill.support.TestKafka.key(attempt.record()));
              return Settlement.DONE;
            });

    await().until(() -> dead.containsAll(List.of("poison", "odd")));
    assertThat(Set.copyOf(dead)).containsExactlyInAnyOrder("poison", "odd");
    assertThat(rig.record(WORKFLOW, "odd")).isEmpty();
  }

  @Test
  void eventsStayInThePartitionOfTheFirstOne() { // C2.2
    rig.processor("worker-1", CLOCK, List.of(pass("quick")), List.of());
    // Other clients spread keys by other hashes: whichever we would choose, two of these differ.
    for (int partition = 0; partition < ExecutionNames.PARTITIONS; partition++) {
      var id = "wf-stranger-" + partition;
      var created =
          new ExecutionEvent.WorkflowCreated(
              id, "Strange", List.of("quick"), Priority.LOW, CLOCK.instant(), null);
      var message = ExecutionMessage.of(created, CLOCK.instant(), Json.object());
      rig.kafka()
          .publisher()
          .publish(
              new OutgoingRecord(
                  ExecutionNames.WORKFLOWS,
                  id.getBytes(UTF_8),
                  List.<KafkaHeader>of(),
                  ExecutionCodec.encode(message),
                  null,
                  partition));

      rig.awaitEnd(WORKFLOW, id);

      var places = rig.records(WORKFLOW, id).stream().map(record -> record.partition()).toList();
      assertThat(places).hasSize(4).containsOnly(partition);
    }
  }

  @Test
  void aStoppingProcessorHandsOnWhatItCannotFinish() throws Exception {
    var first = new CountDownLatch(1);
    var runs = new AtomicInteger();
    var endless =
        step(
            "endless",
            call -> {
              if (runs.incrementAndGet() > 1) return done(call, 1);
              first.countDown();
              new CountDownLatch(1).await();
              return done(call, 0);
            });
    rig.processor(
        "worker-1",
        CLOCK,
        List.of(endless),
        List.of(),
        "processor.stop-timeout=100ms",
        "processor.lease=10m");
    var id = rig.workflow("endless");
    assertThat(first.await(20, TimeUnit.SECONDS)).isTrue();

    rig.stopAll();
    rig.processor("worker-2", CLOCK, List.of(endless), List.of());

    // Long before the lease would have run out.
    rig.awaitEnd(WORKFLOW, id);
    assertThat(rig.types(WORKFLOW, id))
        .containsExactly(
            "workflow.created",
            "workflow.processing",
            "workflow.step.completed",
            "workflow.completed");
  }

  @Test
  void theBrokerMayBeAwayWhileAWorkflowRuns() throws Exception { // F05
    var inside = new CountDownLatch(1);
    var gate = new CountDownLatch(1);
    try (var own = new WorkflowRig()) {
      own.processor(
          "worker-1",
          CLOCK,
          List.of(
              step(
                  "gate",
                  call -> {
                    inside.countDown();
                    gate.await();
                    return done(call, 0);
                  })),
          List.of());
      var id = own.workflow("gate");
      assertThat(inside.await(20, TimeUnit.SECONDS)).isTrue();

      own.kafka().stopBroker();
      gate.countDown();
      await().until(() -> "completed".equals(own.record(WORKFLOW, id).get("status")));
      own.kafka().startBroker();

      own.awaitEnd(WORKFLOW, id);
      assertThat(own.types(WORKFLOW, id))
          .containsExactly(
              "workflow.created",
              "workflow.processing",
              "workflow.step.completed",
              "workflow.completed");
    }
  }

  /// A clock that a test moves.
  static final class TestClock implements InstantSource {
    private volatile Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);

    @Override
    public Instant instant() {
      return now;
    }

    void set(Instant to) {
      now = to;
    }
  }
}
