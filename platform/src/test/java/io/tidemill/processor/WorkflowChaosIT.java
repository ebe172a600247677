package io.tidemill.processor;

import static io.tidemill.contract.workflow.ExecutionKind.TASK;
import static io.tidemill.contract.workflow.ExecutionKind.WORKFLOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.support.ChildJvm;
import io.tidemill.support.Resp;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/// Two processors are killed and put to sleep again and again while workflows and tasks come in:
/// each ends, each step is told of once, in order.
///
/// `-Dtidemill.chaos.kills=500` for a longer run, `-Dtidemill.chaos.seed=…` to repeat one.
class WorkflowChaosIT {
  private static final int KILLS = Integer.getInteger("tidemill.chaos.kills", 15);
  private static final long SEED = Long.getLong("tidemill.chaos.seed", System.nanoTime());
  private static final Duration BETWEEN_BLOWS = Duration.ofMillis(500);
  private static final Duration SLEEP = Duration.ofMillis(1_500);
  private static final int NAPS = KILLS / 6;

  private record Worker(String name, ChildJvm process) {}

  private static final List<String> WORKFLOW_LIFE =
      List.of(
          "workflow.created",
          "workflow.processing",
          "workflow.step.completed",
          "workflow.step.completed",
          "workflow.step.completed",
          "workflow.completed");
  private static final List<String> TASK_LIFE =
      List.of("task.created", "task.processing", "task.completed");
  private static final List<String> RETRIED_LIFE =
      List.of(
          "task.created", "task.processing", "task.failed", "task.processing", "task.completed");

  private final Random random = new Random(SEED);
  private final AtomicInteger names = new AtomicInteger();
  private final List<Worker> workers = new ArrayList<>();
  private final ConcurrentLinkedQueue<String> workflows = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<String> tasks = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<String> retried = new ConcurrentLinkedQueue<>();
  private volatile boolean enough;

  @Test
  void whateverIsKilledEveryWorkflowAndTaskEndsOnce() throws Exception { // F02 to F05, C2.6, C2.7
    // So long that no stall of the machine ends it; that of who is killed ends a second later.
    var said =
        underLoad(
            "10s",
            KILLS,
            rig -> {
              var victim = random.nextInt(workers.size());
              var worker = workers.get(victim);
              worker.process().kill();
              endLeases(rig, worker.name());
              workers.set(victim, worker(rig, "10s"));
            });

    // A last word may still be on its way to the broker when somebody else looks for it there.
    assertThat(said).isLessThanOrEqualTo(KILLS / 5);
  }

  @Test
  void whoeverSleepsBeyondItsLeaseEndsNothingTwice() throws Exception { // F03, F05
    var said = underLoad("1s", NAPS, _ -> nap(workers.get(random.nextInt(workers.size()))));

    // Who wakes up between its last look at the lease and the word to the broker says it again,
    // with the same id: all that it had in hand, and a machine that stalls is a nap, too.
    var all =
        workflows.size() * WORKFLOW_LIFE.size()
            + tasks.size() * TASK_LIFE.size()
            + retried.size() * RETRIED_LIFE.size();
    assertThat(said).isLessThan(all / 100);
  }

  private interface Blow {
    void strike(WorkflowRig rig) throws IOException;
  }

  /// @return how many events were said twice, each with the id of the first
  private int underLoad(String lease, int blows, Blow blow) throws Exception {
    try (var rig = new WorkflowRig()) {
      for (int i = 0; i < 2; i++) workers.add(worker(rig, lease));
      for (var worker : workers) worker.process().awaitReady();
      var load = Thread.ofPlatform().start(() -> submit(rig));
      for (int i = 0; i < blows; i++) {
        LockSupport.parkNanos(BETWEEN_BLOWS.toNanos());
        blow.strike(rig);
      }
      enough = true;
      load.join();
      awaitAll(rig);

      var said = check(rig, WORKFLOW, workflows, WORKFLOW_LIFE);
      said += check(rig, TASK, tasks, TASK_LIFE);
      said += check(rig, TASK, retried, RETRIED_LIFE);
      for (var id : workflows) {
        for (int step = 0; step < 3; step++) {
          assertThat(rig.resp().call("GET", "effect:" + id + "-" + step)).isEqualTo("1");
        }
      }
      LoggerFactory.getLogger(getClass())
          .warn(
              "seed {}: {} blows; {} workflows, {} tasks, {} retried; {} event(s) said twice",
              SEED,
              blows,
              workflows.size(),
              tasks.size(),
              retried.size(),
              said);
      return said;
    } finally {
      workers.forEach(worker -> worker.process().close());
    }
  }

  private Worker worker(WorkflowRig rig, String lease) {
    var name = "worker-" + names.incrementAndGet();
    return new Worker(
        name,
        new ChildJvm(
            ProcessorMain.class,
            rig.redisServer().address(),
            String.valueOf(rig.redisServer().port()),
            rig.kafka().config().bootstrap(),
            name,
            "processor.lease=" + lease,
            "processor.retry-after=100ms",
            "processor.max-takes=1000"));
  }

  private static void endLeases(WorkflowRig rig, String owner) {
    var soon = String.valueOf(System.currentTimeMillis() + 1_000);
    for (var kind : List.of(WORKFLOW, TASK)) {
      for (var id : Resp.list(rig.resp().call("ZRANGE", kind.topic() + ":running", "0", "-1"))) {
        if (!owner.equals(rig.record(kind, (String) id).get("owner"))) continue;
        rig.resp().call("ZADD", kind.topic() + ":running", "XX", soon, id);
      }
    }
  }

  private static void nap(Worker worker) throws IOException {
    worker.process().signal("STOP");
    LockSupport.parkNanos(SLEEP.toNanos());
    worker.process().signal("CONT");
  }

  private void submit(WorkflowRig rig) {
    while (!enough) {
      workflows.add(rig.workflow("one", "two", "three"));
      tasks.add(rig.task("data_export", 3));
      retried.add(rig.task("report_generation", 3));
      LockSupport.parkNanos(Duration.ofMillis(30).toNanos());
    }
  }

  private void awaitAll(WorkflowRig rig) {
    await()
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofMillis(200))
        .until(() ->
            rig.store(WORKFLOW).counts().getOrDefault(ExecutionStatus.COMPLETED, 0L)
                    == workflows.size()
                && rig.store(TASK).counts().getOrDefault(ExecutionStatus.COMPLETED, 0L)
                    == tasks.size() + retried.size());
    rig.awaitIdle();
  }

  /// @return how many events were said twice, each with the id of the first
  private static int check(
      WorkflowRig rig, ExecutionKind kind, Iterable<String> ids, List<String> life) {
    var all = rig.events(kind);
    var twice = 0;
    for (var id : ids) {
      var events = all.getOrDefault(id, List.of());
      var distinct = new LinkedHashMap<String, JsonNode>();
      for (var event : events) {
        distinct.putIfAbsent(event.get("eventId").stringValue(), event);
      }
      twice += events.size() - distinct.size();
      var types = distinct.values().stream().map(event -> event.get("eventType").stringValue());
      assertThat(types).as(id).containsExactlyElementsOf(life);
    }
    return twice;
  }
}
