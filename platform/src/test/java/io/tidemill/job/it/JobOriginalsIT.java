package io.tidemill.job.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.json.Json;
import io.tidemill.support.JobPlatform;
import io.tidemill.support.Resp;
import io.tidemill.support.SseClient;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// `compat.originals`: what the gateway that contract C3 comes from answers over HTTP, and that
/// nothing of it is there without the setting. No worker runs.
class JobOriginalsIT {
  private static final String CHAT = "{\"task\":\"chat\",\"payload\":{\"a\":1}}";

  private static JobPlatform original;
  private static JobPlatform standard;

  @BeforeAll
  static void start() {
    original = JobPlatform.redis("compat.originals=true", "jobs.max-waiting=3", "jobs.ttl-s=1234");
    standard = JobPlatform.redis("jobs.max-waiting=3");
    original.gateway().jobs().start();
    standard.gateway().jobs().start();
  }

  @AfterAll
  static void stop() {
    original.gateway().jobs().stop();
    standard.gateway().jobs().stop();
    original.close();
    standard.close();
  }

  @AfterEach
  void empty() {
    for (var platform : new JobPlatform[] {original, standard}) {
      platform.resp().call("FLUSHALL");
      platform.resp().call("XGROUP", "CREATE", "jobs:stream", "workers", "0", "MKSTREAM");
    }
  }

  private static JsonNode json(HttpResponse<String> answer) {
    return Json.parse(answer.body());
  }

  private static String submit(JobPlatform platform) {
    return json(platform.post("/v1/jobs", CHAT)).get("job_id").stringValue();
  }

  @Test
  void acceptsAJobWith200AndItsIdAlone() {
    var answer = original.post("/v1/jobs", CHAT);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(json(answer).propertyNames()).containsExactly("job_id");
    assertThat(standard.post("/v1/jobs", CHAT).statusCode()).isEqualTo(202);
  }

  @Test
  void answersARepeatWith200() {
    var id = json(original.post("/v1/jobs", CHAT, "Idempotency-Key", "k")).get("job_id");

    var answer = original.post("/v1/jobs", CHAT, "Idempotency-Key", "k");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body())
        .isEqualTo("{\"job_id\":\"%s\",\"idempotent\":true}".formatted(id.stringValue()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-5", "null"})
  void takesItsDefaultForALifeBelowOneSecond(String ttl) {
    var body = "{\"task\":\"chat\",\"ttl_s\":" + ttl + "}";

    var id = json(original.post("/v1/jobs", body)).get("job_id").stringValue();

    assertThat(original.resp().hash("job:" + id)).containsEntry("ttl_s", "1234");
    if (!ttl.equals("null")) {
      assertThat(standard.post("/v1/jobs", body).statusCode()).isEqualTo(422);
    }
  }

  @Test
  void ignoresFieldsThatItDoesNotKnow() {
    var body = "{\"task\":\"chat\",\"tll_s\":60}";

    assertThat(original.post("/v1/jobs", body).statusCode()).isEqualTo(200);
    assertThat(standard.post("/v1/jobs", body).statusCode()).isEqualTo(422);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{\"task\":\"dance\"}", "{\"task\":\"chat\",\"payload\":[]}", "{\"task\""})
  void refusesABadFormWith422InTheFormOfItsFramework(String body) {
    var answer = original.post("/v1/jobs", body);

    assertThat(answer.statusCode()).isEqualTo(422);
    var fault = json(answer).get("detail").get(0);
    assertThat(fault.get("loc").get(0).stringValue()).isEqualTo("body");
    assertThat(fault.get("type").isString()).isTrue();
    assertThat(fault.get("msg").isString()).isTrue();
    var ours = standard.post("/v1/jobs", body);
    assertThat(ours.statusCode()).isEqualTo(body.endsWith("}") ? 422 : 400);
    assertThat(json(ours).get("detail").isString()).isTrue();
    assertThat(json(ours).has("error")).isFalse();
  }

  @Test
  void namesTheFieldOfABadForm() {
    var fault = json(original.post("/v1/jobs", "{\"task\":\"dance\"}")).get("detail").get(0);

    assertThat(fault.get("loc").get(1).stringValue()).isEqualTo("task");
  }

  @Test
  void refusesAPayloadOfMoreThan200000CharactersWith422() {
    var body = "{\"task\":\"chat\",\"payload\":{\"a\":\"" + "x".repeat(200_000) + "\"}}";

    var answer = original.post("/v1/jobs", body);

    assertThat(answer.statusCode()).isEqualTo(422);
    assertThat(answer.body()).contains("payload too large");
    assertThat(standard.post("/v1/jobs", body).statusCode()).isEqualTo(202);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1/jobs/none", "/v1/jobs/none/events"})
  void doesNotKnowAJobInItsWords(String path) {
    var answer = original.get(path);

    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body())
        .isEqualTo(
            "{\"detail\":{\"code\":\"not_found\",\"message\":\"Job not found\","
                + "\"details\":{\"job_id\":\"none\"}}}");
    assertThat(json(standard.get(path)).get("detail").stringValue()).contains("no such job");
  }

  @Test
  void refusesMoreThanWorkersCanDoInItsWords() {
    for (int i = 0; i < 3; i++) submit(original);

    var answer = original.post("/v1/jobs", CHAT);

    assertThat(answer.statusCode()).isEqualTo(429);
    assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
    assertThat(answer.body())
        .isEqualTo(
            "{\"detail\":{\"code\":\"backpressure\","
                + "\"message\":\"Workers are behind (backlog too high), retry shortly.\","
                + "\"details\":{\"backlog\":3,\"pending\":0,\"lag\":3,\"max\":3}}}");
  }

  @Test
  void cancelsAndSaysWhetherThatChangedAnything() {
    var id = submit(original);

    var first = original.post("/v1/jobs/" + id + "/cancel", "{\"reason\":{\"by\":\"me\"}}");
    var second = original.post("/v1/jobs/" + id + "/cancel", "{\"reason\":{}}");

    assertThat(first.body())
        .isEqualTo("{\"job_id\":\"%s\",\"status\":\"canceled\",\"updated\":true}".formatted(id));
    assertThat(second.statusCode()).isEqualTo(200);
    assertThat(second.body())
        .isEqualTo("{\"job_id\":\"%s\",\"status\":\"canceled\",\"updated\":false}".formatted(id));
    assertThat(original.post("/v1/jobs/none/cancel", "{}").statusCode()).isEqualTo(404);
  }

  @Test
  void refusesASecondCancelWithoutTheSetting() { // C3.10
    var id = submit(standard);
    assertThat(standard.post("/v1/jobs/" + id + "/cancel", "{}").statusCode()).isEqualTo(200);

    assertThat(standard.post("/v1/jobs/" + id + "/cancel", "{}").statusCode()).isEqualTo(409);
  }

  @Test
  void showsTheQueueUnderHealth() {
    submit(original);

    var answer = original.get("/health");

    var health = json(answer);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(health.propertyNames())
        .containsExactly(
            "ok", "redis_url", "queue_stream", "worker_group", "stream_len", "backlog", "ts");
    assertThat(health.get("ok").booleanValue()).isTrue();
    assertThat(health.get("redis_url").stringValue()).isEqualTo(original.server().address());
    assertThat(health.get("queue_stream").stringValue()).isEqualTo("jobs:stream");
    assertThat(health.get("worker_group").stringValue()).isEqualTo("workers");
    assertThat(health.get("stream_len").longValue()).isEqualTo(1);
    assertThat(Json.text(health.get("backlog")))
        .isEqualTo("{\"pending\":0,\"lag\":1,\"backlog\":1}");
    assertThat(standard.get("/health").statusCode()).isEqualTo(404);
  }

  @Test
  void replaysEventsWithoutIdsHoweverOftenSomebodyComes() throws Exception {
    var id = submit(original);
    original.post("/v1/jobs/" + id + "/cancel", "{}");
    var last = lastEvent(original.resp(), id);

    for (var resume : new String[] {null, last}) {
      try (var reader =
          new SseClient(original.gateway().port(), "/v1/jobs/" + id + "/events", resume)) {
        assertThat(reader.head).contains("X-Accel-Buffering: no").contains("no-cache");
        assertThat(reader.next().type()).isEqualTo("hello");
        var queued = reader.next();
        assertThat(queued.type()).isEqualTo("queued");
        assertThat(queued.id()).isNull();
        assertThat(Json.parse(queued.data()).propertyNames())
            .containsExactly("id", "type", "ts", "step", "data");
        assertThat(reader.next().type()).isEqualTo("canceled");
        assertThat(reader.next()).isNull();
      }
    }
  }

  @Test
  void resumesByItsOwnParameterAllTheSame() {
    var id = submit(original);
    original.post("/v1/jobs/" + id + "/cancel", "{}");
    var path = "/v1/jobs/" + id + "/events";
    var last = lastEvent(original.resp(), id);

    assertThat(original.get(path + "?after=" + last).statusCode()).isEqualTo(204);
    assertThat(standard.get("/v1/jobs/none/events").statusCode()).isEqualTo(404);
  }

  private static String lastEvent(Resp redis, String id) {
    return redis.stream("job:" + id + ":events").getLast().id();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/nothing/here", "/v1/jobs?limit=x"})
  void hasTheTextOfEveryOtherProblemInTheFieldErrorToo(String path) {
    var problem = json(original.get(path));

    assertThat(problem.get("error")).isEqualTo(problem.get("detail"));
    assertThat(json(standard.get(path)).has("error")).isFalse();
  }
}
