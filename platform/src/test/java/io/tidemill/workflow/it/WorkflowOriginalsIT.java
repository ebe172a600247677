package io.tidemill.workflow.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.json.Json;
import io.tidemill.support.WorkflowGateway;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// `compat.originals`: what the gateway that contract C2 comes from answers over HTTP, on a real
/// Kafka and Redis. No processor runs.
class WorkflowOriginalsIT {
  private static final List<String> WORKFLOW_OBJECT =
      List.of(
          "workflowId",
          "name",
          "steps",
          "priority",
          "status",
          "currentStep",
          "currentStepIndex",
          "createdAt",
          "startedAt",
          "completedAt",
          "error");
  private static final String WORKFLOW = "{\"name\":\"Pipeline\",\"steps\":[\"validate\"]}";
  private static final String TASK =
      "{\"type\":\"email_notification\",\"data\":{\"recipient\":\"user@example.com\"}}";

  private static final String[] ORIGINALS = {"compat.originals=true", "flows.max-input=3KiB"};

  @TempDir static Path folder;
  private static WorkflowGateway gateway;

  @BeforeAll
  static void start() throws Exception {
    gateway = new WorkflowGateway(folder);
    gateway.start(ORIGINALS);
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  private static JsonNode json(HttpResponse<String> answer) {
    return Json.parse(answer.body());
  }

  @Test
  void createsAWorkflowWith201AndTheWholeRecord() {
    var answer = gateway.post("/api/workflows", WORKFLOW);

    var record = json(answer);
    assertThat(answer.statusCode()).isEqualTo(201);
    assertThat(record.propertyNames()).containsAll(WORKFLOW_OBJECT);
    assertThat(record.get("workflowId").stringValue()).startsWith("wf-");
    assertThat(record.get("priority").stringValue()).isEqualTo("medium");
    assertThat(record.get("status").stringValue()).isEqualTo("pending");
    assertThat(record.get("currentStep").isNull()).isTrue();
    assertThat(record.get("currentStepIndex").intValue()).isZero();
    assertThat(record.get("startedAt").isNull()).isTrue();
    assertThat(record.get("completedAt").isNull()).isTrue();
    assertThat(record.get("error").isNull()).isTrue();
    assertThat(record.get("createdAt").stringValue()).matches(".*T\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
    var path = "/api/workflows/" + record.get("workflowId").stringValue();
    assertThat(gateway.get(path)).isEqualTo(record);
    assertThat(gateway.records("workflows", record.get("workflowId").stringValue())).hasSize(1);
  }

  @Test
  void createsATaskWith201AsQueued() {
    var answer = gateway.post("/api/tasks", TASK);

    var record = json(answer);
    assertThat(answer.statusCode()).isEqualTo(201);
    assertThat(record.get("taskId").stringValue()).startsWith("task-");
    assertThat(record.get("status").stringValue()).isEqualTo("queued");
    assertThat(record.get("type").stringValue()).isEqualTo("email_notification");
    assertThat(record.get("maxRetries").intValue()).isEqualTo(3);
    assertThat(record.get("data").get("recipient").stringValue()).isEqualTo("user@example.com");
  }

  @Test
  void answersARepeatWithTheRecordThatIsThere() {
    var first = json(gateway.post("/api/workflows", WORKFLOW, "Idempotency-Key", "again"));

    var second = gateway.post("/api/workflows", WORKFLOW, "Idempotency-Key", "again");

    assertThat(second.statusCode()).isEqualTo(201);
    assertThat(json(second).get("workflowId")).isEqualTo(first.get("workflowId"));
    assertThat(json(second).get("idempotent").booleanValue()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/api/workflows|{\"steps\":[\"a\"]}|name|name is required and must be a string",
        "/api/workflows|{\"name\":\"ab\",\"steps\":[\"a\"]}|name"
            + "|name must be between 3 and 100 characters",
        "/api/workflows|{\"name\":\"abc\"}|steps|steps is required and must be an array",
        "/api/workflows|{\"name\":\"abc\",\"steps\":[]}|steps"
            + "|steps must contain between 1 and 10 items",
        "/api/workflows|{\"name\":\"abc\",\"steps\":[1]}|steps|all steps must be strings",
        "/api/workflows|{\"name\":\"abc\",\"steps\":[\"a\"],\"priority\":\"now\"}|priority"
            + "|priority must be one of: low, medium, high",
        "/api/tasks|{\"data\":{}}|type|type is required and must be a string",
        "/api/tasks|{\"type\":\"dance\",\"data\":{}}|type"
            + "|type must be one of: email_notification, data_export, report_generation",
        "/api/tasks|{\"type\":\"data_export\"}|data|data is required and must be an object",
      })
  void refusesABadFormWith400InItsWords(String path, String body, String field, String message) {
    var answer = gateway.post(path, body);

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body())
        .isEqualTo(
            "{\"error\":\"Validation failed\",\"details\":[{\"field\":\"%s\",\"message\":\"%s\"}]}"
                .formatted(field, message));
  }

  @Test
  void namesEverythingThatIsWrongAtOnce() {
    var details = json(gateway.post("/api/workflows", "{\"priority\":\"now\"}")).get("details");

    assertThat(details.valueStream().map(each -> each.get("field").stringValue()))
        .containsExactly("name", "steps", "priority");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"name\"", "[]", "7", "null"})
  void refusesWhatIsNoFormWith400(String body) {
    var answer = gateway.post("/api/workflows", body);

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(json(answer).get("error").stringValue()).isEqualTo("Validation failed");
  }

  @Test
  void saysWhatOnlyWeCheckInTheSameForm() {
    var answer =
        gateway.post("/api/tasks", "{\"type\":\"data_export\",\"data\":{},\"maxRetries\":-1}");

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(json(answer).get("details").get(0).get("field").stringValue())
        .isEqualTo("maxRetries");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"name\":\"abc\",\"steps\":[\"validate\"],\"priority\":\"\"}",
        "{\"name\":\"abc\",\"steps\":[\"validate\"],\"priorty\":\"high\"}",
      })
  void ignoresWhatItDoesNotKnow(String body) {
    var answer = gateway.post("/api/workflows", body);

    assertThat(answer.statusCode()).isEqualTo(201);
    assertThat(json(answer).get("priority").stringValue()).isEqualTo("medium");
  }

  @ParameterizedTest
  @CsvSource({"GET,/api/workflows/none,Workflow,workflowId", "GET,/api/tasks/none,Task,taskId"})
  void doesNotKnowOneInItsWords(String method, String path, String what, String field) {
    var answer = gateway.send(method, path, null);

    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body())
        .isEqualTo("{\"error\":\"%s not found\",\"%s\":\"none\"}".formatted(what, field));
  }

  @Test
  void doesNotKnowOneThatIsReportedInItsWords() {
    var answer = gateway.send("PATCH", "/internal/workflows/none", "{\"status\":\"processing\"}");

    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body())
        .isEqualTo("{\"error\":\"Workflow not found\",\"workflowId\":\"none\"}");
  }

  @Test
  void answersAReportWithTheWholeRecord() {
    var id = gateway.workflow("validate", "store");

    var answer =
        gateway.send(
            "PATCH",
            "/internal/workflows/" + id,
            "{\"status\":\"processing\",\"currentStep\":\"store\",\"currentStepIndex\":1,"
                + "\"startedAt\":\"2026-01-04T01:09:27.123Z\"}");

    var record = json(answer);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(record.propertyNames()).containsAll(WORKFLOW_OBJECT);
    assertThat(record.get("status").stringValue()).isEqualTo("processing");
    assertThat(record.get("currentStep").stringValue()).isEqualTo("store");
    assertThat(record.get("startedAt").stringValue()).isEqualTo("2026-01-04T01:09:27.123Z");
  }

  @Test
  void listsWithItsDefaultsForParametersThatItCannotRead() {
    var id = gateway.workflow("validate");

    var list = gateway.get("/api/workflows?limit=many&offset=-1");

    assertThat(list.propertyNames()).containsExactly("workflows", "total", "limit", "offset");
    assertThat(list.get("limit").intValue()).isEqualTo(50);
    assertThat(list.get("offset").intValue()).isZero();
    var newest = list.get("workflows").get(0);
    assertThat(newest.get("workflowId").stringValue()).isEqualTo(id);
    assertThat(newest.propertyNames()).containsAll(WORKFLOW_OBJECT);
    assertThat(newest.get("currentStepIndex").intValue()).isZero();
    assertThat(gateway.get("/api/workflows?limit=2x").get("limit").intValue()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"status=dancing", "priority=now"})
  void findsNothingByAFilterThatItDoesNotKnow(String filter) {
    var list = gateway.get("/api/workflows?" + filter);

    assertThat(list.get("workflows").isEmpty()).isTrue();
    assertThat(list.get("total").intValue()).isZero();
  }

  @Test
  void saysThatItIsHealthy() {
    var health = gateway.get("/api/health");

    assertThat(health.propertyNames()).containsExactly("status", "timestamp", "version", "service");
    assertThat(health.get("status").stringValue()).isEqualTo("healthy");
    assertThat(health.get("version").stringValue()).isEqualTo("1.0.0");
    assertThat(health.get("service").stringValue()).isEqualTo("api-gateway");
    assertThat(Instant.parse(health.get("timestamp").stringValue())).isBefore(Instant.MAX);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/api/nothing", "/api/tasks/none/pages"})
  void hasTheTextOfEveryOtherProblemInTheFieldErrorToo(String path) {
    var problem = json(gateway.send("GET", path, null));

    assertThat(problem.get("error")).isEqualTo(problem.get("detail"));
  }

  @Test
  void hasTheTextOfARefusalThatItDoesNotKnowInTheFieldErrorToo() {
    var large =
        "{\"name\":\"abc\",\"steps\":[\"a\"],\"input\":{\"a\":\"" + "x".repeat(4_000) + "\"}}";

    var answer = gateway.post("/api/workflows", large);

    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(json(answer).get("error").stringValue()).contains("input has");
  }

  @Test
  void changesNothingWithoutTheSetting() { // C2.4
    gateway.start();
    try {
      assertThat(gateway.post("/api/workflows", WORKFLOW).statusCode()).isEqualTo(202);
      assertThat(gateway.post("/api/tasks", TASK).statusCode()).isEqualTo(202);
      var refused = gateway.post("/api/workflows", "{\"steps\":[\"a\"]}");
      assertThat(refused.statusCode()).isEqualTo(422);
      assertThat(json(refused).has("error")).isFalse();
      assertThat(json(send("/api/workflows/none")).get("detail").isString()).isTrue();
      assertThat(send("/api/workflows?limit=many").statusCode()).isEqualTo(422);
      assertThat(send("/api/health").statusCode()).isEqualTo(404);
    } finally {
      gateway.start(ORIGINALS);
    }
  }

  private static HttpResponse<String> send(String path) {
    return gateway.send("GET", path, null);
  }
}
