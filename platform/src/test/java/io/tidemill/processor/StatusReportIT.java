package io.tidemill.processor;

import static io.tidemill.contract.workflow.ExecutionKind.TASK;
import static io.tidemill.contract.workflow.ExecutionKind.WORKFLOW;
import static io.tidemill.processor.TestSteps.gate;
import static io.tidemill.processor.TestSteps.pass;
import static io.tidemill.processor.TestSteps.step;
import static io.tidemill.processor.TestSteps.type;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemill.api.Step;
import io.tidemill.api.WorkFailure;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowCreated;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.contract.workflow.Priority;
import io.tidemill.json.Json;
import io.tidemill.support.ExecutionSchemas;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// A gateway that reads no topic learns by `PATCH /internal/…` how things stand (C2.4).
class StatusReportIT {
  private static final InstantSource CLOCK = InstantSource.system();
  private static WorkflowRig rig;
  private static PatchedGateway gateway;

  @BeforeAll
  static void start() throws Exception {
    rig = new WorkflowRig();
    gateway = new PatchedGateway();
  }

  @AfterAll
  static void end() {
    gateway.close();
    rig.close();
  }

  @AfterEach
  void stopProcessors() {
    rig.stopAll();
    gateway.fail(0);
  }

  private static void processor(String owner, Step... steps) {
    var task =
        type(
            "report_generation",
            _ -> {
              throw WorkFailure.permanent("NO_DATA", "nothing to report");
            });
    rig.processor(
        owner, CLOCK, List.of(steps), List.of(task), "processor.report-url=" + gateway.url() + "/");
  }

  private static String workflow(String... steps) {
    var id = ExecutionNames.newWorkflowId();
    gateway.add(id);
    var created =
        new WorkflowCreated(id, "Test", List.of(steps), Priority.HIGH, CLOCK.instant(), null);
    rig.publish(WORKFLOW, created);
    return id;
  }

  private static void awaitStatus(String id, String status) {
    await().until(() -> gateway.show(id).path("status").asString("").equals(status));
  }

  private static Object waiting(String topic, String id) {
    return rig.redisCall("ZSCORE", topic + ":reports", id);
  }

  @Test
  void aWorkflowIsReportedStepByStep() {
    var open = new CountDownLatch(1);
    processor("worker-1", gate(open), pass("last"));
    var id = workflow("gate", "last");

    awaitStatus(id, "processing");
    assertThat(gateway.show(id).get("currentStep").stringValue()).isEqualTo("gate");
    assertThat(gateway.show(id).get("currentStepIndex").intValue()).isZero();
    open.countDown();
    awaitStatus(id, "completed");

    var shown = gateway.show(id);
    assertThat(shown.get("currentStep").isNull()).isTrue();
    assertThat(shown.get("currentStepIndex").intValue()).isEqualTo(1);
    var ours = rig.show(WORKFLOW, id);
    assertThat(shown.get("startedAt")).isEqualTo(ours.get("startedAt"));
    assertThat(shown.get("completedAt")).isEqualTo(ours.get("completedAt"));
    await().until(() -> waiting("workflows", id) == null);
  }

  @Test
  void aGatewayThatIsAwayHoldsUpNothingAndLearnsTheEndFromTheNextProcessor() {
    gateway.fail(503);
    processor(
        "worker-1",
        step(
            "fails",
            _ -> {
              throw WorkFailure.permanent("BROKEN", "no such thing");
            }));
    var id = workflow("fails");
    rig.awaitEnd(WORKFLOW, id);
    await().until(() -> gateway.statuses().contains(id + " failed"));
    rig.stopAll();

    gateway.fail(0);
    processor("worker-2");
    awaitStatus(id, "failed");

    assertThat(gateway.show(id).get("error").stringValue()).isEqualTo("BROKEN: no such thing");
    var tried = gateway.statuses().stream().filter(one -> one.startsWith(id)).distinct();
    assertThat(tried).isSubsetOf(id + " processing", id + " failed");
    await().until(() -> waiting("workflows", id) == null);
    assertThat(rig.record(WORKFLOW, id)).doesNotContainKey("reportTries");
  }

  @Test
  void tasksAreReportedToo() {
    processor("worker-1");
    var id = rig.task("report_generation", 3);
    gateway.add(id);

    rig.awaitStatus(TASK, id, ExecutionStatus.DEAD_LETTER);

    awaitStatus(id, "failed");
    assertThat(gateway.show(id).get("error").stringValue()).isEqualTo("NO_DATA: nothing to report");
    assertThat(gateway.show(id).hasNonNull("completedAt")).isTrue();
  }

  @Test
  void aCancelIsReportedAsAFailure() {
    processor("worker-1", gate(new CountDownLatch(1)));
    var id = workflow("gate");
    awaitStatus(id, "processing");

    ExecutionProcessorIT.cancel(rig, id);

    awaitStatus(id, "failed");
    assertThat(gateway.show(id).get("error").stringValue())
        .isEqualTo("canceled"); // no reason was given
  }

  @Test
  void whatTheGatewayDoesNotKnowIsNotRepeated() {
    processor("worker-1", pass("one"));
    var id = rig.workflow("one");

    rig.awaitEnd(WORKFLOW, id);

    await().until(() -> gateway.statuses().contains(id + " completed"));
    await().until(() -> waiting("workflows", id) == null);
  }

  @Test
  void anEmptyStepOfAForeignGatewayFailsTheWorkflow() { // C2.8, G7
    processor("worker-1", pass("known"));
    gateway.add("wf-empty");
    var value =
        "{\"eventType\":\"workflow.created\",\"eventId\":\"e-1\",\"timestamp\":\"2026-01-04T01:00:00Z\","
            + "\"payload\":{\"workflowId\":\"wf-empty\",\"name\":\"Test\",\"steps\":[\"\"],"
            + "\"priority\":\"low\",\"createdAt\":\"2026-01-04T01:00:00Z\"}}";
    rig.kafka().publish(ExecutionNames.WORKFLOWS, "wf-empty", value);

    rig.awaitEnd(WORKFLOW, "wf-empty");

    var failed = rig.events(WORKFLOW, "wf-empty").getLast();
    assertThat(failed.get("eventType").stringValue()).isEqualTo("workflow.failed");
    assertThat(failed.at("/payload/error/code").stringValue()).isEqualTo("UNKNOWN_STEP");
    assertThat(failed.at("/payload/failedStep").stringValue()).isEmpty();
    ExecutionSchemas.assertOurs(Json.bytes(failed)); // C2.3
    awaitStatus("wf-empty", "failed");
  }

  @Test
  void anAddressThatCantBeOneIsRefused() {
    for (var wrong : List.of("gateway:3000", "ftp://gateway", "http://u:secret@gateway")) {
      var override = "processor.report-url=" + wrong;
      assertThatThrownBy(() -> WorkflowRig.settings("redis://x", override))
          .hasMessageContaining("processor.report-url")
          .hasMessageNotContaining("secret");
    }
  }
}
