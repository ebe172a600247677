package io.tidemill.workflow.it;

import static io.tidemill.contract.workflow.ExecutionStatus.PROCESSING;
import static io.tidemill.contract.workflow.ExecutionStatus.RETRYING;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.json.Json;
import io.tidemill.observe.TraceParent;
import io.tidemill.support.ExecutionSchemas;
import io.tidemill.support.SseClient;
import io.tidemill.support.WorkflowGateway;
import io.tidemill.workflow.ExecutionQueue;
import io.tidemill.workflow.ExecutionStore;
import io.tidemill.workflow.ExecutionStore.FollowerEvent;
import io.tidemill.workflow.ExecutionStore.Report;
import io.tidemill.workflow.LeasedExecution;
import io.tidemill.workflow.NewExecution;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// What others say about workflows and tasks, and what their owners want of them afterwards (C2.4).
class WorkflowLifeIT {
  private static final String THEIRS =
      "\"name\":\"Theirs\",\"steps\":[\"validate\"],\"priority\":\"low\","
          + "\"createdAt\":\"2026-01-04T01:00:00Z\"";
  private static final String STARTED =
      "\"startedAt\":\"2026-01-04T01:09:30.456Z\",\"currentStep\":\"%s\",\"currentStepIndex\":%d";
  private static final String STEP =
      "\"stepName\":\"%s\",\"stepIndex\":%d,\"completedAt\":\"2026-01-04T01:09:33.789Z\","
          + "\"duration\":3333,\"result\":{\"n\":%d}";
  private static final String COMPLETED =
      "\"completedAt\":\"2026-01-04T01:09:45.123Z\",\"duration\":17667,\"stepsCompleted\":2,"
          + "\"summary\":{\"totalRecords\":1000}";
  private static final String FAILED =
      "\"failedAt\":\"2026-01-04T01:09:35.999Z\",\"failedStep\":\"%s\",\"failedStepIndex\":%d,"
          + "\"error\":{\"code\":\"TRANSFORM_ERROR\",\"message\":\"Invalid\",\"stack\":\"at x\"}";
  private static final Instant FAR = Instant.parse("2100-01-01T00:00:00Z");

  @TempDir static Path folder;
  private static WorkflowGateway gateway;

  @BeforeAll
  static void start() throws Exception {
    gateway = new WorkflowGateway(folder);
    gateway.start();
  }

  @AfterAll
  static void stop() throws Exception {
    gateway.close();
  }

  private static void says(String id, String type, String payload) {
    gateway.event(type.startsWith("task.") ? "tasks" : "workflows", type, id, payload);
  }

  private static String path(String id) {
    return (id.startsWith("task-") ? "/api/tasks/" : "/api/workflows/") + id;
  }

  private static int status(String method, String path, String body) {
    return gateway.send(method, path, body).statusCode();
  }

  @Test
  void aForeignProcessorsProgressIsShownInOrder() throws Exception { // C2.4
    var id = gateway.workflow("validate", "store");

    says(id, "workflow.processing", STARTED.formatted("validate", 0));
    says(id, "workflow.step.completed", STEP.formatted("validate", 0, 7));
    says(id, "workflow.step.completed", STEP.formatted("store", 1, 8));
    says(id, "workflow.completed", COMPLETED);
    gateway.awaitStatus(path(id), "completed");

    var shown = gateway.get(path(id));
    assertThat(shown.get("startedAt").stringValue()).isEqualTo("2026-01-04T01:09:30.456Z");
    assertThat(shown.get("duration").intValue()).isEqualTo(17667);
    assertThat(shown.get("stepsCompleted").intValue()).isEqualTo(2);
    assertThat(shown.at("/summary/totalRecords").intValue()).isEqualTo(1000);
    assertThat(shown.at("/results/0/result/n").intValue()).isEqualTo(7);
    assertThat(shown.at("/results/1/result/n").intValue()).isEqualTo(8);
    assertThat(types(id))
        .containsExactly(
            "hello",
            "workflow.created",
            "workflow.processing",
            "workflow.step.completed",
            "workflow.step.completed",
            "workflow.completed");
  }

  @Test
  void whatAForeignProcessorSaysIsAPartOfItsTrace() {
    var id = gateway.workflow("validate");
    var trace = TraceParent.random();

    gateway.event("workflows", "workflow.processing", id, STARTED.formatted("validate", 0), trace);
    gateway.awaitStatus(path(id), "processing");

    await()
        .until(() ->
            gateway.spans().stream().anyMatch(span -> span.traceId().equals(trace.traceId())));
    assertThat(gateway.spans())
        .filteredOn(span -> span.traceId().equals(trace.traceId()))
        .singleElement()
        .satisfies(span -> {
          assertThat(span.name()).isEqualTo("take in report");
          assertThat(span.role()).isEqualTo("gateway");
          assertThat(span.parentId()).isEqualTo(trace.spanId());
          assertThat(span.objects()).containsExactly("workflow:" + id);
          assertThat(span.attributes()).containsEntry("event", "workflow.processing");
        });
  }

  private static List<String> types(String id) throws Exception {
    try (var events = new SseClient(gateway.port(), path(id) + "/events", null)) {
      return events.rest().stream().map(SseClient.Event::type).toList();
    }
  }

  @Test
  void anEventIsShownOnceThoughItIsReadTwice() throws Exception { // G4
    var id = gateway.workflow("a");
    says(id, "workflow.processing", STARTED.formatted("a", 0));
    gateway.awaitStatus(path(id), "processing");
    var seen = gateway.store(ExecutionKind.WORKFLOW).find(id).orElseThrow().get("seen");
    var told = new FollowerEvent("workflow.processing", "{}");
    var report = new Report(seen, PROCESSING, null, told, Map.of());

    var again = gateway.store(ExecutionKind.WORKFLOW).report(id, report);
    says(id, "workflow.failed", FAILED.formatted("a", 0));

    assertThat(again.what()).isEqualTo(ExecutionStore.Reported.SEEN);
    gateway.awaitStatus(path(id), "failed");
    assertThat(types(id))
        .containsExactly("hello", "workflow.created", "workflow.processing", "workflow.failed");
    assertThat(gateway.get(path(id)).at("/error/code").stringValue()).isEqualTo("TRANSFORM_ERROR");
    assertThat(gateway.get(path(id)).at("/error").has("stack")).isFalse();
  }

  @Test
  void aForeignGatewaysWorkflowIsShownAndStillRuns() { // C2.4
    var id = "their-" + UUID.randomUUID();
    says(id, "workflow.created", THEIRS);
    await().until(() -> status("GET", path(id), null) == 200);

    assertThat(gateway.get(path(id)).get("status").stringValue()).isEqualTo("pending");
    assertThat(gateway.store(ExecutionKind.WORKFLOW).unpublished()).isZero();
    assertThat(admitted(ExecutionKind.WORKFLOW, id)).isTrue();
    assertThat(admitted(ExecutionKind.WORKFLOW, id)).isFalse();
  }

  // As a processor of ours does with the event that it has read.
  private static boolean admitted(ExecutionKind kind, String id) {
    var record = gateway.store(kind).find(id).orElseThrow();
    var created =
        kind == ExecutionKind.WORKFLOW
            ? io.tidemill.contract.workflow.ExecutionRecords.workflowCreated(record)
            : io.tidemill.contract.workflow.ExecutionRecords.taskCreated(record);
    return gateway.queue(kind).admit(NewExecution.of(created, Map.of()), 0, 0);
  }

  @Test
  void aForeignTasksTriesAreShown() throws Exception { // C2.10
    var id = gateway.task();
    var failed =
        "\"failedAt\":\"2026-01-04T01:10:05.000Z\",\"retryCount\":1,\"maxRetries\":3,"
            + "\"error\":{\"code\":\"SMTP_ERROR\",\"message\":\"m\",\"retryable\":true},"
            + "\"nextRetryAt\":\"2026-01-04T01:10:35.000Z\"";

    says(id, "task.processing", "\"startedAt\":\"2026-01-04T01:10:02.000Z\",\"retryCount\":0");
    says(id, "task.failed", failed);
    gateway.awaitStatus(path(id), "retrying");
    var retrying = gateway.get(path(id));
    says(id, "task.processing", "\"startedAt\":\"2026-01-04T01:10:35.000Z\",\"retryCount\":1");
    says(
        id,
        "task.dead_letter",
        "\"originalEvent\":{},\"retryCount\":3,\"maxRetries\":3,\"finalError\":"
            + "{\"code\":\"SMTP_ERROR\",\"message\":\"m\"},"
            + "\"deadLetteredAt\":\"2026-01-04T01:12:00.000Z\"");
    gateway.awaitStatus(path(id), "dead_letter");

    assertThat(retrying.get("nextRetryAt").stringValue()).isEqualTo("2026-01-04T01:10:35.000Z");
    assertThat(retrying.get("retryCount").intValue()).isEqualTo(1);
    assertThat(gateway.get(path(id)).get("nextRetryAt").isNull()).isTrue();
    assertThat(gateway.store(ExecutionKind.TASK).depths().get("timers")).isZero();
    assertThat(types(id))
        .containsExactly(
            "hello",
            "task.created",
            "task.processing",
            "task.failed",
            "task.processing",
            "task.dead_letter");
  }

  @Test
  void whatCanNotBeReadChangesNothing() { // the processors put it aside
    var id = gateway.workflow("a");
    gateway.publish("workflows", id, "not JSON");
    gateway.publish("workflows", id, "{\"eventType\":\"workflow.completed\"}");
    says(id, "workflow.exploded", "\"x\":1");
    says("x:events", "workflow.completed", COMPLETED);
    says(id, "workflow.processing", STARTED.formatted("a", 0));

    gateway.awaitStatus(path(id), "processing");
  }

  @Test
  void whatLiesInTheWrongTopicIsNotShown() { // the processors put it aside
    var stray = ExecutionNames.newWorkflowId();
    gateway.event("tasks", "workflow.created", stray, "\"workflowId\":\"" + stray + "\"," + THEIRS);
    var id = gateway.task();
    says(id, "task.processing", "\"startedAt\":\"2026-01-04T01:10:02.000Z\",\"retryCount\":0");

    gateway.awaitStatus(path(id), "processing");

    assertThat(gateway.store(ExecutionKind.WORKFLOW).exists(stray)).isFalse();
  }

  @Test
  void anIdThatIsNoPartOfAnAddressIsEscaped() {
    var id = "order 42/ä?";
    says(id, "workflow.created", THEIRS);
    await().until(() -> gateway.store(ExecutionKind.WORKFLOW).exists(id));
    says(
        id,
        "workflow.failed",
        "\"failedAt\":\"2026-01-04T01:09:35.999Z\",\"failedStep\":\"a\",\"failedStepIndex\":0,"
            + "\"error\":{\"code\":\"X\",\"message\":\"x\"}");
    var path = "/api/workflows/order%2042%2F%C3%A4%3F";
    gateway.awaitStatus(path, "failed");

    var answer = gateway.post(path + "/retry", "");

    assertThat(answer.statusCode()).isEqualTo(202);
    assertThat(answer.headers().firstValue("Location")).contains(path);
  }

  @Test
  void reportsOverHttpGoForwardOnly() throws Exception { // C2.4
    var id = gateway.workflow("a", "b", "c");
    var internal = "/internal/workflows/" + id;

    assertThat(
            status(
                "PATCH",
                internal,
                "{\"status\":\"processing\",\"currentStep\":\"b\",\"currentStepIndex\":1,"
                    + "\"startedAt\":\"2026-01-04T01:10:02Z\",\"completedAt\":null}"))
        .isEqualTo(200);
    assertThat(status("PATCH", internal, "{\"status\":\"pending\"}")).isEqualTo(409);
    assertThat(status("PATCH", internal, "{\"currentStepIndex\":0}")).isEqualTo(409);
    assertThat(status("PATCH", internal, "{\"status\":\"done\"}")).isEqualTo(422);
    assertThat(status("PATCH", internal, "{\"status\":\"retrying\"}")).isEqualTo(422);
    assertThat(status("PATCH", internal, "{\"currentStepIndex\":-1}")).isEqualTo(422);
    assertThat(status("PATCH", internal, "{")).isEqualTo(400);
    assertThat(
            status(
                "PATCH",
                internal,
                "{\"status\":\"failed\",\"error\":{\"code\":\"X\",\"message\":\"why\"}}"))
        .isEqualTo(200);
    assertThat(status("PATCH", internal, "{\"status\":\"failed\"}")).isEqualTo(200);
    assertThat(status("PATCH", internal, "{\"status\":\"completed\"}")).isEqualTo(409);
    var shown = gateway.get(path(id));
    assertThat(shown.get("currentStepIndex").intValue()).isEqualTo(1);
    assertThat(shown.at("/error/message").stringValue()).isEqualTo("why");
    assertThat(types(id))
        .containsExactly("hello", "workflow.created", "workflow.processing", "workflow.failed");
  }

  @Test
  void aLastReportEmptiesTheCurrentStep() { // C2.4, G7
    var id = gateway.workflow("a", "b");
    var internal = "/internal/workflows/" + id;
    status(
        "PATCH",
        internal,
        "{\"status\":\"processing\",\"currentStep\":\"b\",\"currentStepIndex\":1}");
    assertThat(gateway.get(path(id)).get("currentStep").stringValue()).isEqualTo("b");

    var last =
        "{\"status\":\"completed\",\"completedAt\":\"2026-01-04T01:10:02Z\",\"currentStep\":null}";
    assertThat(status("PATCH", internal, last)).isEqualTo(200);

    var shown = gateway.get(path(id));
    assertThat(shown.get("status").stringValue()).isEqualTo("completed");
    assertThat(shown.get("currentStep").isNull()).isTrue();
    assertThat(shown.get("currentStepIndex").intValue()).isEqualTo(1);
  }

  @Test
  void aTasksReportShowsItsRetries() {
    var id = gateway.task();

    assertThat(
            status(
                "PATCH",
                "/internal/tasks/" + id,
                "{\"status\":\"retrying\",\"retryCount\":2,\"error\":\"no answer\","
                    + "\"nextRetryAt\":\"2026-01-04T01:10:35Z\"}"))
        .isEqualTo(200);

    var shown = gateway.get(path(id));
    assertThat(shown.get("retryCount").intValue()).isEqualTo(2);
    assertThat(shown.get("nextRetryAt").stringValue()).isEqualTo("2026-01-04T01:10:35.000Z");
    assertThat(shown.at("/error/message").stringValue()).isEqualTo("no answer");
  }

  @Test
  void cancelIsTheEndAndItsEventWaitsForAProcessor() { // F32
    var id = gateway.workflow("a", "b");

    var canceled = gateway.post(path(id) + "/cancel", "");

    assertThat(canceled.statusCode()).isEqualTo(200);
    assertThat(Json.parse(canceled.body()).get("was").stringValue()).isEqualTo("pending");
    assertThat(status("DELETE", path(id), null)).isEqualTo(409);
    assertThat(gateway.get(path(id)).at("/error/code").stringValue()).isEqualTo("CANCELED");
    assertThat(status("POST", path(id) + "/retry", "")).isEqualTo(409); // its event is not out yet
    assertThat(admitted(ExecutionKind.WORKFLOW, id)).isFalse();
    var event = outbox(ExecutionKind.WORKFLOW, id);
    assertThat(event.get("eventType").stringValue()).isEqualTo("workflow.failed");
    assertThat(event.at("/payload/failedStep").stringValue()).isEqualTo("a");
    assertThat(event.at("/payload/error/code").stringValue()).isEqualTo("CANCELED");
  }

  private static JsonNode outbox(ExecutionKind kind, String id) {
    var event = gateway.queue(kind).outbox(id).getFirst();
    ExecutionSchemas.assertOurs(event.getBytes(UTF_8)); // C2.3
    return Json.parse(event);
  }

  @Test
  void aCanceledTasksLastEventHasItsFirst() { // C2.10
    var id = gateway.task();

    assertThat(status("DELETE", path(id), null)).isEqualTo(200);

    var event = outbox(ExecutionKind.TASK, id);
    assertThat(event.get("eventType").stringValue()).isEqualTo("task.dead_letter");
    assertThat(event.at("/payload/originalEvent/eventType").stringValue())
        .isEqualTo("task.created");
    assertThat(event.at("/payload/originalEvent/payload/taskId").stringValue()).isEqualTo(id);
    assertThat(event.at("/payload/finalError/code").stringValue()).isEqualTo("CANCELED");
  }

  @Test
  void aFailedWorkflowBeginsAgainWithTheStepThatFailed() { // C2.4
    var id = gateway.workflow("a", "b");
    ours(id, "a", 0, 7);
    fails(id, "b", 1);

    var answer = gateway.post(path(id) + "/retry", "");

    assertThat(answer.statusCode()).isEqualTo(202);
    var shown = gateway.get(path(id));
    assertThat(shown.get("status").stringValue()).isEqualTo("pending");
    assertThat(shown.get("currentStepIndex").intValue()).isEqualTo(1);
    assertThat(shown.at("/results/0/result/n").intValue()).isEqualTo(7);
    assertThat(shown.get("stepsCompleted").intValue()).isEqualTo(1);
    assertThat(shown.get("error").isNull()).isTrue();
    assertThat(shown.get("completedAt").isNull()).isTrue();
    var created =
        gateway.records("workflows", id).stream()
            .map(record -> Json.parse(record.value()))
            .filter(event -> event.get("eventType").stringValue().equals("workflow.created"))
            .toList();
    assertThat(created).hasSize(2);
    assertThat(created.get(0).get("eventId")).isNotEqualTo(created.get(1).get("eventId"));
    assertThat(created.get(0).get("payload")).isEqualTo(created.get(1).get("payload"));
    assertThat(status("POST", path(id) + "/retry", "")).isEqualTo(409);
    assertThat(admitted(ExecutionKind.WORKFLOW, id)).isTrue();
  }

  // As a processor of ours leaves it behind after a step.
  private static void ours(String id, String step, int index, int n) {
    var fields =
        Map.of(
            "step:" + index,
            "{" + STEP.formatted(step, index, n) + "}",
            "after:" + index,
            "{\"left\":{\"inline\":[%d]},\"failed\":%d}".formatted(n, n),
            "left",
            "{\"inline\":[%d]}".formatted(n),
            "failed",
            String.valueOf(n),
            "stepsCompleted",
            String.valueOf(index + 1));
    gateway
        .store(ExecutionKind.WORKFLOW)
        .report(id, new Report("", PROCESSING, null, null, fields));
  }

  private static void fails(String id, String step, int index) {
    says(id, "workflow.failed", FAILED.formatted(step, index));
    gateway.awaitStatus(path(id), "failed");
  }

  @Test
  void aFailedWorkflowBeginsAgainWhereAndWithWhatItsOwnerWants() {
    var id = gateway.workflow("a", "b", "c");
    ours(id, "a", 0, 7);
    ours(id, "b", 1, 8);
    fails(id, "c", 2);

    assertThat(status("POST", path(id) + "/retry", "{\"fromStep\":3}")).isEqualTo(422);
    assertThat(status("POST", path(id) + "/retry", "{\"input\":7}")).isEqualTo(422);
    assertThat(status("POST", path(id) + "/retry", "{\"fromStep\":1,\"input\":{\"x\":1}}"))
        .isEqualTo(202);

    var shown = gateway.get(path(id));
    assertThat(shown.get("currentStepIndex").intValue()).isEqualTo(1);
    assertThat(shown.get("currentStep").stringValue()).isEqualTo("b");
    assertThat(shown.get("results")).hasSize(1);
    assertThat(shown.at("/input/x").intValue()).isEqualTo(1);
    assertThat(record(id)).containsEntry("left", "{\"inline\":[7]}").containsEntry("failed", "7");
  }

  private static Map<String, String> record(String id) {
    return gateway.store(ExecutionKind.WORKFLOW).find(id).orElseThrow();
  }

  // What a foreign processor's steps left is nowhere: ours would go on with the wrong data.
  @Test
  void whatFailedElsewhereBeginsAgainFromTheStart() { // C2.4
    var id = gateway.workflow("a", "b", "c");
    ours(id, "a", 0, 7);
    says(id, "workflow.step.completed", STEP.formatted("b", 1, 8));
    fails(id, "c", 2);

    var middle = gateway.post(path(id) + "/retry", "{\"fromStep\":2}");
    var again = gateway.post(path(id) + "/retry", "");

    assertThat(middle.statusCode()).isEqualTo(422);
    assertThat(middle.body()).contains("fromStep must not be 2");
    assertThat(again.statusCode()).isEqualTo(202);
    var shown = gateway.get(path(id));
    assertThat(shown.get("currentStepIndex").intValue()).isZero();
    assertThat(shown.get("currentStep").stringValue()).isEqualTo("a");
    assertThat(shown.get("results")).isEmpty();
    assertThat(shown.get("stepsCompleted").isNull()).isTrue();
    assertThat(record(id)).doesNotContainKeys("left", "failed", "after:0", "step:0", "step:1");
  }

  @Test
  void aStrangersWorkflowOfVeryManyStepsBeginsAgain() {
    var id = "many-" + UUID.randomUUID();
    says(
        id,
        "workflow.created",
        "\"name\":\"Theirs\",\"priority\":\"low\",\"createdAt\":\"2026-01-04T01:00:00Z\","
            + "\"steps\":[\"a\""
            + ",\"b\"".repeat(499)
            + "]");
    await().until(() -> status("GET", path(id), null) == 200);
    fails(id, "b", 499);

    assertThat(status("POST", path(id) + "/retry", "")).isEqualTo(202);
  }

  @Test
  void aStepThatIsNotThereIsRefusedInAReportAndPassedOverInAnEvent() {
    var id = gateway.workflow("a", "b");
    var internal = "/internal/workflows/" + id;

    assertThat(status("PATCH", internal, "{\"status\":\"failed\",\"currentStepIndex\":2}"))
        .isEqualTo(422);
    fails(id, "z", 7);

    assertThat(status("POST", path(id) + "/retry", "{\"fromStep\":2}")).isEqualTo(422);
    assertThat(status("POST", path(id) + "/retry", "")).isEqualTo(202);
    fails(id, "z", 7);
    assertThat(status("POST", path(id) + "/retry", "{\"fromStep\":0}")).isEqualTo(202);
  }

  @Test
  void aCanceledWorkflowsLastEventNamesAStepThatIsThere() {
    var id = gateway.workflow("a", "b");
    says(id, "workflow.processing", STARTED.formatted("z", 7));
    gateway.awaitStatus(path(id), "processing");

    assertThat(status("DELETE", path(id), null)).isEqualTo(200);

    var event = outbox(ExecutionKind.WORKFLOW, id);
    assertThat(event.at("/payload/failedStepIndex").intValue()).isEqualTo(1);
  }

  @Test
  void aReportThatLeavesTheStatusAsItIsLeavesItInOurQueue() throws Exception { // C2.4
    var id = gateway.workflow("a", "b");
    var internal = "/internal/workflows/" + id;
    assertThat(status("PATCH", internal, "{\"status\":\"pending\"}")).isEqualTo(200);
    assertThat(admitted(ExecutionKind.WORKFLOW, id)).isTrue();

    assertThat(status("PATCH", internal, "{\"duration\":1}")).isEqualTo(200);
    assertThat(status("PATCH", internal, "{\"status\":\"pending\"}")).isEqualTo(200);
    assertThat(status("PATCH", internal, "{\"currentStepIndex\":1}")).isEqualTo(409);

    assertThat(gateway.get(path(id)).get("duration").intValue()).isEqualTo(1);
    assertThat(takeUntil(gateway.queue(ExecutionKind.WORKFLOW), id).id()).isEqualTo(id);
    gateway.post(path(id) + "/cancel", "");
    assertThat(types(id)).containsExactly("hello", "workflow.created", "workflow.failed");
  }

  @Test
  void aReportThatLeavesTheStatusAsItIsLeavesTheTimer() { // C2.10
    var id = gateway.task();
    var timed = new Report("0:1", RETRYING, FAR, null, Map.of("retryCount", "1"));
    gateway.store(ExecutionKind.TASK).report(id, timed);

    assertThat(status("PATCH", "/internal/tasks/" + id, "{\"duration\":1}")).isEqualTo(200);
    assertThat(status("PATCH", "/internal/tasks/" + id, "{\"retryCount\":2}")).isEqualTo(409);
    assertThat(gateway.store(ExecutionKind.TASK).find(id).orElseThrow())
        .containsEntry("place", "timer");

    // Whoever says that it is at work has it.
    assertThat(status("PATCH", "/internal/tasks/" + id, "{\"status\":\"processing\"}"))
        .isEqualTo(200);
    assertThat(gateway.store(ExecutionKind.TASK).find(id).orElseThrow())
        .containsEntry("place", "foreign");
    status("PATCH", "/internal/tasks/" + id, "{\"status\":\"completed\"}");
  }

  @Test
  void aDeadTaskIsRedriven() {
    var id = gateway.task();
    assertThat(status("POST", path(id) + "/retry", "")).isEqualTo(409);
    status(
        "PATCH",
        "/internal/tasks/" + id,
        "{\"status\":\"dead_letter\",\"retryCount\":3,\"error\":{\"code\":\"X\"}}");

    var answer =
        gateway.post(
            path(id) + "/retry", "{\"data\":{\"recipient\":\"c@d.org\"},\"maxRetries\":1}");

    assertThat(answer.statusCode()).isEqualTo(202);
    var shown = gateway.get(path(id));
    assertThat(shown.get("retryCount").intValue()).isZero();
    assertThat(shown.get("maxRetries").intValue()).isEqualTo(1);
    var event = Json.parse(gateway.records("tasks", id).getLast().value());
    assertThat(event.at("/payload/data/recipient").stringValue()).isEqualTo("c@d.org");
    assertThat(event.at("/payload/maxRetries").intValue()).isEqualTo(1);
  }

  @Test
  void whatOneOfOursHoldsNobodyElseReports() {
    var id = gateway.workflow("a");
    assertThat(admitted(ExecutionKind.WORKFLOW, id)).isTrue();
    var queue = gateway.queue(ExecutionKind.WORKFLOW);
    takeUntil(queue, id);

    assertThat(status("PATCH", "/internal/workflows/" + id, "{\"status\":\"completed\"}"))
        .isEqualTo(409);
    assertThat(gateway.get(path(id)).get("status").stringValue()).isEqualTo("pending");
  }

  private static LeasedExecution takeUntil(ExecutionQueue queue, String id) {
    for (var taken = queue.take("p", 1, Duration.ofMinutes(1)); ; ) {
      for (var flow : taken.executions()) if (flow.id().equals(id)) return flow;
      if (taken.executions().isEmpty()) throw new AssertionError(id + " is not there");
      taken = queue.take("p", 1, Duration.ofMinutes(1));
    }
  }
}
