package io.tidemill.processor;

import static io.tidemill.contract.workflow.ExecutionKind.TASK;
import static io.tidemill.contract.workflow.ExecutionKind.WORKFLOW;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.redis.Script;
import io.tidemill.support.ChildJvm;
import io.tidemill.support.FaultProxy;
import io.tidemill.workflow.ExecutionQueue;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A processor killed at every point of a workflow of three steps, of a task and of one that fails
/// first (F03 to F05): nothing is lost, nothing is told twice, order holds.
///
/// Between two calls of the store lies at most one publication, so killing it before each call
/// reaches Redis and before each answer comes back is to kill it before and after each publication,
/// too. Each both as it goes when steps take long, one write for each, and as it goes when they are
/// quick, one write for all.
class WorkflowCrashIT {
  private static final String[] QUICK = {"processor.retry-after=100ms"};
  private static final String STEP_BY_STEP = "processor.repeatable=0s";
  private static final String TOGETHER = "processor.repeatable=1h";
  private static WorkflowRig rig;

  /// @param calls which call of the script it is, from 1
  record Point(String script, int calls, boolean afterEffect) {
    @Override
    public String toString() {
      return script + " " + calls + (afterEffect ? " done" : " sent");
    }
  }

  @BeforeAll
  static void start() {
    rig = new WorkflowRig();
    // Redis knows the scripts from now on: each call is one command.
    rescuer();
    rig.awaitEnd(WORKFLOW, rig.workflow("one"));
    rig.awaitEnd(TASK, rig.task("report_generation", 1));
    rig.stopAll();
  }

  @AfterAll
  static void end() {
    rig.close();
  }

  @AfterEach
  void stop() {
    rig.stopAll();
  }

  private static void rescuer() {
    var port = rig.redisServer().port();
    rig.processor(
        "rescuer",
        InstantSource.system(),
        ProcessorMain.steps(port),
        ProcessorMain.types(port),
        QUICK);
  }

  static Stream<Point> pointsOfAWorkflow() { // begin, three steps, end
    return Stream.concat(beginning(), saves(1, 5));
  }

  static Stream<Point> pointsOfQuickSteps() { // all of them, end
    return saves(1, 2);
  }

  static Stream<Point> pointsOfATask() { // begin, result, end
    return Stream.concat(beginning(), saves(1, 3));
  }

  static Stream<Point> pointsOfARetry() { // after the beginning: failed, put off, begun again
    return saves(2, 4);
  }

  private static Stream<Point> beginning() {
    return Stream.of(
        new Point("admit_execution.lua", 1, false),
        new Point("admit_execution.lua", 1, true),
        new Point("take_executions.lua", 1, true));
  }

  private static Stream<Point> saves(int first, int last) {
    return IntStream.rangeClosed(first, last)
        .boxed()
        .flatMap(n ->
            Stream.of(
                new Point("save_execution.lua", n, false),
                new Point("save_execution.lua", n, true)));
  }

  @ParameterizedTest
  @MethodSource("pointsOfAWorkflow")
  void aWorkflowSurvives(Point point) throws Exception {
    assertThat(runsOfAWorkflowThatSurvives(point, STEP_BY_STEP)).isBetween(3, 4);
  }

  @ParameterizedTest
  @MethodSource("pointsOfQuickSteps")
  void aWorkflowOfQuickStepsSurvives(Point point) throws Exception {
    assertThat(runsOfAWorkflowThatSurvives(point, TOGETHER)).isBetween(3, 6);
  }

  private static int runsOfAWorkflowThatSurvives(Point point, String setting) throws Exception {
    var id = killedAt(point, setting, WORKFLOW, () -> rig.workflow("one", "two", "three"));

    assertThat(rig.types(WORKFLOW, id))
        .containsExactly(
            "workflow.created",
            "workflow.processing",
            "workflow.step.completed",
            "workflow.step.completed",
            "workflow.step.completed",
            "workflow.completed");
    for (int step = 0; step < 3; step++) {
      assertThat(rig.resp().call("GET", "effect:" + id + "-" + step)).isEqualTo("1");
    }
    return runs(id + "-0") + runs(id + "-1") + runs(id + "-2");
  }

  @ParameterizedTest
  @MethodSource("pointsOfATask")
  void aTaskSurvives(Point point) throws Exception {
    survives(point, STEP_BY_STEP);
  }

  @ParameterizedTest
  @MethodSource("pointsOfQuickSteps")
  void aQuickTaskSurvives(Point point) throws Exception {
    survives(point, TOGETHER);
  }

  private static void survives(Point point, String setting) throws Exception {
    var id = killedAt(point, setting, TASK, () -> rig.task("data_export", 3));

    assertThat(rig.types(TASK, id))
        .containsExactly("task.created", "task.processing", "task.completed");
    assertThat(runs(id)).isBetween(1, 2);
  }

  @ParameterizedTest
  @MethodSource("pointsOfARetry")
  void aTaskThatIsRetriedSurvives(Point point) throws Exception {
    var id = killedAt(point, STEP_BY_STEP, TASK, () -> rig.task("report_generation", 3));

    assertThat(rig.types(TASK, id))
        .containsExactly(
            "task.created", "task.processing", "task.failed", "task.processing", "task.completed");
    assertThat(runs(id + "-0") + runs(id + "-1")).isBetween(2, 3);
  }

  private static int runs(String id) {
    return Integer.parseInt(String.valueOf(rig.resp().call("GET", "ran:" + id)));
  }

  interface Submission {
    String submit();
  }

  private static String killedAt(
      Point point, String setting, ExecutionKind kind, Submission submission) throws Exception {
    var there = new CountDownLatch(1);
    var sha = Script.load(ExecutionQueue.class, point.script()).sha();
    try (var proxy = new FaultProxy(rig.redisServer().port());
        var child =
            new ChildJvm(
                ProcessorMain.class,
                Stream.concat(
                        Stream.of(
                            proxy.redisUrl(),
                            String.valueOf(rig.redisServer().port()),
                            rig.kafka().config().bootstrap(),
                            "doomed",
                            setting),
                        Stream.of(QUICK))
                    .toArray(String[]::new))) {
      child.awaitReady();
      var calls = new AtomicInteger();
      var asked = new AtomicBoolean();
      proxy.breakWith((_, fromClient, piece) -> {
        if (there.getCount() == 0) return false; // nothing more leaves or reaches the doomed
        var text = new String(piece, ISO_8859_1);
        if (fromClient && isCall(text, sha, kind)) {
          if (calls.incrementAndGet() < point.calls()) return true;
          if (!point.afterEffect()) there.countDown();
          asked.set(point.afterEffect());
          return point.afterEffect();
        }
        if (fromClient || !asked.get() || !isAnswer(text, point)) return true;
        there.countDown();
        return false;
      });
      var id = submission.submit();
      assertThat(there.await(1, TimeUnit.MINUTES)).as(child.output()).isTrue();
      child.kill();

      // Its lease ends soon; a short one from the start would end under a slow machine's feet.
      var soon = String.valueOf(System.currentTimeMillis() + 600);
      rig.resp().call("ZADD", kind.topic() + ":running", "XX", soon, id);
      rescuer();
      rig.awaitEnd(kind, id);
      rig.awaitIdle();
      return id;
    }
  }

  // Takers ask all the time: only the answer tells whether they got something.
  private static boolean isCall(String text, String sha, ExecutionKind kind) {
    return text.contains(sha) && text.contains("\r\n" + kind.topic() + "\r\n");
  }

  private static boolean isAnswer(String text, Point point) {
    return switch (point.script()) {
      case "admit_execution.lua" -> text.contains("admitted");
      case "take_executions.lua" -> text.contains("\r\nrun\r\n");
      default -> text.contains("saved");
    };
  }
}
