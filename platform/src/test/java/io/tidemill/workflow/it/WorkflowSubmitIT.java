package io.tidemill.workflow.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.contract.workflow.ExecutionEvent.WorkflowCreated;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.Priority;
import io.tidemill.json.Json;
import io.tidemill.support.ExecutionSchemas;
import io.tidemill.support.FakeLlm;
import io.tidemill.support.RecordedCall;
import io.tidemill.support.SseClient;
import io.tidemill.support.WorkflowGateway;
import io.tidemill.worker.ai.PlanHandler;
import io.tidemill.workflow.NewExecution;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Workflows and tasks taken in over HTTP (C2.4), on a real Kafka and Redis.
class WorkflowSubmitIT {
  private static final String WORKFLOW =
      "{\"name\":\"Pipeline\",\"steps\":[\"validate\",\"store\"],\"priority\":\"high\","
          + "\"input\":{\"records\":[1]}}";
  private static final String TASK =
      "{\"type\":\"email_notification\",\"data\":{\"recipient\":\"user@example.com\"}}";

  @TempDir static Path folder;
  private static WorkflowGateway gateway;

  @BeforeAll
  static void start() throws Exception {
    gateway = new WorkflowGateway(folder);
    gateway.start("flows.max-input=3KiB", "flows.max-waiting=300");
  }

  @AfterAll
  static void stop() throws Exception {
    gateway.close();
  }

  private static String id(HttpResponse<String> answer, String field) {
    return Json.parse(answer.body()).get(field).stringValue();
  }

  private static JsonNode value(ConsumerRecord<byte[], byte[]> record) {
    ExecutionSchemas.assertValid(record.value()); // C2.3
    return Json.parse(record.value());
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    var header = record.headers().lastHeader(name);
    return header == null ? null : new String(header.value(), UTF_8);
  }

  @Test
  void aWorkflowIsInTheTopicBeforeItsAnswerIsSent() { // C2.2, C2.4, F06
    var answer = gateway.post("/api/workflows", WORKFLOW, "X-Correlation-ID", "c-1");
    var id = id(answer, "workflowId");
    var record = gateway.records("workflows", id).getFirst();

    assertThat(answer.statusCode()).isEqualTo(202);
    assertThat(answer.headers().firstValue("Location")).contains("/api/workflows/" + id);
    assertThat(Json.parse(answer.body()).get("status").stringValue()).isEqualTo("pending");
    assertThat(id).matches("wf-[0-9a-f-]{36}");
    var event = value(record);
    assertThat(event.get("eventType").stringValue()).isEqualTo("workflow.created");
    assertThat(event.get("eventId").stringValue()).matches("evt-[0-9a-f-]{36}");
    assertThat(event.at("/payload/workflowId").stringValue()).isEqualTo(id);
    assertThat(event.at("/payload/steps").toString()).isEqualTo("[\"validate\",\"store\"]");
    assertThat(event.at("/payload/priority").stringValue()).isEqualTo("high");
    assertThat(event.at("/payload/input/records/0").intValue()).isEqualTo(1);
    assertThat(event.at("/metadata/source").stringValue()).isEqualTo("api-gateway");
    assertThat(event.at("/metadata/userId").isNull()).isTrue();
    assertThat(event.at("/metadata/apiVersion").stringValue()).isEqualTo("1.0.0");
    assertThat(event.at("/metadata/correlationId").stringValue()).isEqualTo("c-1");
    assertThat(header(record, "content-type")).isEqualTo("application/json");
    assertThat(header(record, "schema-version")).isEqualTo("1.0.0");
    assertThat(header(record, "traceparent")).contains(event.at("/metadata/traceId").stringValue());
    assertThat(record.timestamp())
        .isEqualTo(Instant.parse(event.get("timestamp").stringValue()).toEpochMilli());
  }

  @Test
  void formsNameWhatTheProcessorKnows() {
    var forms = gateway.get("/api/forms");

    assertThat(forms.get("steps").valueStream().map(step -> step.get("name").stringValue()))
        .startsWith("validate", "transform")
        .contains("notify");
    assertThat(forms.at("/steps/0/options/0/name").stringValue()).isEqualTo("rules");
    assertThat(forms.get("sources").toString()).contains("\"records\"", "\"crawl\"");
    var types = new HashMap<String, JsonNode>();
    forms
        .get("tasks")
        .forEach(task -> types.put(task.get("type").stringValue(), task.get("schema")));
    assertThat(types).containsKeys("data_export", "email_notification", "report_generation");
    types.forEach(
        (type, schema) -> assertThat(schema.at("/properties").isObject()).as(type).isTrue());
  }

  @Test
  void whatAModelPlannedIsTakenAsItIs() throws Exception { // C3.11
    try (var server = new FakeLlm();
        var model = server.model()) {
      server.then(
          FakeLlm.tokens(
              "Here you are:\n```json\n{\"name\":\"Docs\",\"steps\":[\"crawl\",\"index\"],",
              "\"input\":{\"crawl\":{\"url\":\"https://example.org/\",\"maxPages\":5}}}\n```"));
      var plan = new PlanHandler(model).handle(new RecordedCall("{\"goal\":\"index the docs\"}"));

      assertThat(gateway.post("/api/workflows", Json.text(plan.get("workflow"))).statusCode())
          .isEqualTo(202);
    }
  }

  @Test
  void aTaskIsInTheTopicBeforeItsAnswerIsSent() { // C2.2, C2.4
    var answer = gateway.post("/api/tasks", TASK);
    var id = id(answer, "taskId");
    var event = value(gateway.records("tasks", id).getFirst());

    assertThat(answer.statusCode()).isEqualTo(202);
    assertThat(answer.headers().firstValue("Location")).contains("/api/tasks/" + id);
    assertThat(event.get("eventType").stringValue()).isEqualTo("task.created");
    assertThat(event.at("/payload/retryCount").intValue()).isZero();
    assertThat(event.at("/payload/maxRetries").intValue()).isEqualTo(3);
    var shown = gateway.get("/api/tasks/" + id);
    assertThat(shown.get("status").stringValue()).isEqualTo("pending");
    assertThat(shown.at("/data/recipient").stringValue()).isEqualTo("user@example.com");
  }

  @Test
  void aWorkflowIsShownAsItWasAskedFor() {
    var shown =
        gateway.get("/api/workflows/" + id(gateway.post("/api/workflows", WORKFLOW), "workflowId"));

    assertThat(shown.get("name").stringValue()).isEqualTo("Pipeline");
    assertThat(shown.get("steps")).hasSize(2);
    assertThat(shown.get("currentStep").isNull()).isTrue();
    assertThat(shown.get("startedAt").isNull()).isTrue();
    assertThat(shown.get("error").isNull()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "workflows|{}|name",
        "workflows|{\"name\":\"ab\",\"steps\":[\"a\"]}|name",
        "workflows|{\"name\":7,\"steps\":[\"a\"]}|name",
        "workflows|{\"name\":\"abc\"}|steps",
        "workflows|{\"name\":\"abc\",\"steps\":[]}|steps",
        "workflows|{\"name\":\"abc\",\"steps\":[1]}|steps",
        "workflows|{\"name\":\"abc\",\"steps\":\"a\"}|steps",
        "workflows|{\"name\":\"abc\",\"steps\":[\"a\"],\"priority\":\"urgent\"}|priority",
        "workflows|{\"name\":\"abc\",\"steps\":[\"a\"],\"priority\":1}|priority",
        "workflows|{\"name\":\"abc\",\"steps\":[\"a\"],\"input\":[]}|input",
        "tasks|{\"data\":{}}|type",
        "tasks|{\"type\":\"dance\",\"data\":{}}|type",
        "tasks|{\"type\":\"data_export\"}|data",
        "tasks|{\"type\":\"data_export\",\"data\":[]}|data",
        "tasks|{\"type\":\"data_export\",\"data\":{},\"maxRetries\":-1}|maxRetries",
        "tasks|{\"type\":\"data_export\",\"data\":{},\"maxRetries\":101}|maxRetries",
        "tasks|{\"type\":\"data_export\",\"data\":{},\"maxRetries\":1.5}|maxRetries"
      })
  void whatIsWrongIsNamed(String plural, String body, String field) { // C2.4
    var answer = gateway.post("/api/" + plural, body);
    var problem = Json.parse(answer.body());

    assertThat(answer.statusCode()).isEqualTo(422);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(problem.get("detail").stringValue()).startsWith(field + " must ");
    assertThat(problem.get("field").stringValue()).isEqualTo(field);
  }

  @Test
  void anUnknownTypeOfTaskIsToldWhichThereAre() {
    var answer = gateway.post("/api/tasks", "{\"type\":\"dance\",\"data\":{}}");

    assertThat(answer.body()).contains("data_export, email_notification, report_generation");
  }

  @Test
  void unknownStepsArePutThrough() { // whoever runs them may know them
    var answer = gateway.post("/api/workflows", "{\"name\":\"Test\",\"steps\":[\"step1\"]}");

    assertThat(answer.statusCode()).isEqualTo(202);
  }

  @Test
  void whatIsNotJsonOrTooLargeIsRefused() {
    var large = WORKFLOW.replace("[1]", "\"" + "x".repeat(3_100) + "\"");

    assertThat(gateway.post("/api/workflows", "{").statusCode()).isEqualTo(400);
    assertThat(gateway.post("/api/tasks", "").statusCode()).isEqualTo(400);
    assertThat(gateway.post("/api/workflows", large).statusCode()).isEqualTo(413);
  }

  @Test
  void oneKeyMakesOneWorkflowHoweverManyAskAtOnce() throws Exception { // C3.4, F18
    var key = UUID.randomUUID().toString();
    List<HttpResponse<String>> answers;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<HttpResponse<String>> post =
          () -> await().until(() -> keyed(key), answer -> answer.statusCode() != 409);
      var all = IntStream.range(0, 20).mapToObj(_ -> threads.submit(post)).toList();
      threads.shutdown();
      assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
      answers = all.stream().map(Future::resultNow).toList();
    }

    assertThat(answers).allMatch(answer -> answer.statusCode() == 202);
    assertThat(answers.stream().map(answer -> id(answer, "workflowId")).distinct()).hasSize(1);
    assertThat(answers.stream().filter(answer -> answer.body().contains("\"idempotent\":true")))
        .hasSize(19);
    assertThat(gateway.records("workflows", id(answers.getFirst(), "workflowId"))).hasSize(1);
  }

  private static HttpResponse<String> keyed(String key) {
    return gateway.post("/api/workflows", WORKFLOW, "Idempotency-Key", key);
  }

  @Test
  void oneKeyWithAnotherBodyIsRefused() { // C3.4
    var key = UUID.randomUUID().toString();
    var spaced =
        "{ \"priority\":\"high\", \"input\":{\"records\":[1]}, \"steps\":[\"validate\",\"store\"],"
            + "\"name\":\"Pipeline\" }";

    var first = gateway.post("/api/workflows", WORKFLOW, "Idempotency-Key", key);
    var same = gateway.post("/api/workflows", spaced, "Idempotency-Key", key);
    var other =
        gateway.post("/api/workflows", WORKFLOW.replace("[1]", "[2]"), "Idempotency-Key", key);

    assertThat(id(same, "workflowId")).isEqualTo(id(first, "workflowId"));
    assertThat(other.statusCode()).isEqualTo(422);
    assertThat(gateway.post("/api/tasks", TASK, "Idempotency-Key", key).statusCode())
        .isEqualTo(202);
    assertThat(gateway.post("/api/tasks", TASK, "Idempotency-Key", "").statusCode()).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/api/workflows", "/api/tasks"})
  void refusesALastEventIdThatIsNone(String path) {
    var answer = gateway.send("GET", path + "/none/events", null, "Last-Event-ID", "1");

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("Last-Event-ID must be the id of an event");
  }

  @Test
  void listsAreFilteredPagedAndNewestFirst() {
    var low = WORKFLOW.replace("high", "low");
    var ids =
        IntStream.range(0, 3)
            .mapToObj(_ -> id(laterThanTheLast(low), "workflowId"))
            .toList()
            .reversed();

    var all = gateway.get("/api/workflows?priority=low&status=pending&limit=2");
    var rest = gateway.get("/api/workflows?priority=low&limit=2&offset=2");

    assertThat(names(all.get("workflows"))).isEqualTo(ids.subList(0, 2));
    assertThat(names(rest.get("workflows"))).isEqualTo(ids.subList(2, 3));
    assertThat(all.get("total").intValue()).isEqualTo(3);
    assertThat(all.get("limit").intValue()).isEqualTo(2);
    assertThat(rest.get("offset").intValue()).isEqualTo(2);
    assertThat(all.at("/workflows/0").has("results")).isFalse();
    assertThat(gateway.get("/api/workflows?status=failed").get("total").intValue()).isZero();
  }

  // The list is ordered by milliseconds.
  private static HttpResponse<String> laterThanTheLast(String body) {
    var answer = gateway.post("/api/workflows", body);
    var created = gateway.get("/api/workflows/" + id(answer, "workflowId")).get("createdAt");
    var at = Instant.parse(created.stringValue());
    await().until(() -> java.time.InstantSource.system().instant().isAfter(at.plusMillis(1)));
    return answer;
  }

  private static List<String> names(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false)
        .map(each -> each.get("workflowId").stringValue())
        .toList();
  }

  @Test
  void listsLeaveOutWhatIsLong() {
    var body = "{\"type\":\"report_generation\",\"data\":{\"t\":\"" + "x".repeat(2_100) + "\"}}";
    gateway.post("/api/tasks", body);
    gateway.post("/api/tasks", body.replaceAll("x+", "x"));

    var list = gateway.get("/api/tasks?type=report_generation");

    assertThat(list.get("total").intValue()).isEqualTo(2);
    assertThat(list.get("tasks").valueStream().filter(task -> task.has("data"))).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "/api/workflows?status=retrying,status",
    "/api/workflows?priority=urgent,priority",
    "/api/tasks?type=dance,type",
    "/api/tasks?limit=0,limit",
    "/api/tasks?limit=x,limit",
    "/api/tasks?offset=-1,offset"
  })
  void aWrongParameterIsNamed(String path, String parameter) {
    var answer = gateway.send("GET", path, null);

    assertThat(answer.statusCode()).isEqualTo(422);
    assertThat(Json.parse(answer.body()).get("parameter").stringValue()).isEqualTo(parameter);
  }

  @Test
  void whatIsUnknownIsNotFound() {
    for (var plural : List.of("workflows", "tasks")) {
      assertThat(gateway.send("GET", "/api/" + plural + "/none", null).statusCode()).isEqualTo(404);
      assertThat(gateway.send("GET", "/api/" + plural + "/none/events", null).statusCode())
          .isEqualTo(404);
      assertThat(gateway.send("DELETE", "/api/" + plural + "/none", null).statusCode())
          .isEqualTo(404);
      assertThat(gateway.post("/api/" + plural + "/none/cancel", "").statusCode()).isEqualTo(404);
      assertThat(gateway.post("/api/" + plural + "/none/retry", "").statusCode()).isEqualTo(404);
      assertThat(
              gateway
                  .send("PATCH", "/internal/" + plural + "/none", "{\"status\":\"completed\"}")
                  .statusCode())
          .isEqualTo(404);
    }
    var id = gateway.workflow("a");
    assertThat(gateway.send("GET", "/api/workflows/" + id + ":events", null).statusCode())
        .isEqualTo(404);
  }

  @Test
  void aFollowerIsToldFromTheBeginning() throws Exception { // C2.4
    var id = gateway.workflow("a");
    try (var events = new SseClient(gateway.port(), "/api/workflows/" + id + "/events", null)) {
      assertThat(events.next().type()).isEqualTo("hello");
      assertThat(events.next().type()).isEqualTo("workflow.created");
      gateway.post("/api/workflows/" + id + "/cancel", "{\"reason\":\"enough\"}");
      var rest = events.rest();
      assertThat(rest).extracting(SseClient.Event::type).containsExactly("workflow.failed");
      assertThat(rest.getFirst().data()).contains("CANCELED", "enough");
      try (var again =
          new SseClient(gateway.port(), "/api/workflows/" + id + "/events", rest.getFirst().id())) {
        assertThat(again.status()).isEqualTo(204);
      }
    }
  }

  @Test
  void whatADeadGatewayLeftInDoubtIsPublishedOnce() { // C2.4: dead between Redis and Kafka
    var created =
        new WorkflowCreated(
            "wf-" + UUID.randomUUID(),
            "doubt",
            List.of("a"),
            Priority.LOW,
            Instant.parse("2026-01-04T01:09:27.123Z"),
            null);
    var store = gateway.store(ExecutionKind.WORKFLOW);
    store.create(NewExecution.of(created, Map.of("eventId", "evt-doubt")), null, "");

    await().until(() -> !gateway.records("workflows", created.id()).isEmpty());
    await().until(() -> store.unpublished() == 0);

    var records = gateway.records("workflows", created.id());
    assertThat(records).hasSize(1);
    assertThat(value(records.getFirst()).get("eventId").stringValue()).isEqualTo("evt-doubt");
    assertThat(records.getFirst().timestamp()).isEqualTo(created.createdAt().toEpochMilli());
  }
}
