package io.tidemill.job.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.json.Json;
import io.tidemill.support.JobPlatform;
import io.tidemill.support.Resp;
import io.tidemill.testing.Corpora;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the gateway answers, and what it leaves in Redis. No worker runs.
class JobSubmitIT {
  private static JobPlatform platform;
  private static Resp redis;

  @BeforeAll
  static void start() {
    platform = JobPlatform.redis("jobs.max-waiting=100");
    redis = platform.resp();
    platform.gateway();
  }

  @AfterAll
  static void stop() {
    platform.close();
  }

  @AfterEach
  void empty() {
    redis.call("FLUSHALL");
  }

  // What a job leaves in Redis, to the byte

  @Test
  void writesExactlyTheContractsHash() { // C3.1, C3.2
    var before = System.currentTimeMillis();
    var id =
        platform.submitBody(
            "{\"task\":\"rag\", \"payload\": {\"q\": \"caf\\u00e9\", \"n\":1.0}, \"ttl_s\":60}");

    var hash = redis.hash("job:" + id);
    assertThat(UUID.fromString(id)).hasToString(id);
    assertThat(Long.parseLong(hash.get("created_ts")))
        .isBetween(before, System.currentTimeMillis());
    assertThat(hash)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "job_id", id,
                "task", "rag",
                "payload", "{\"q\":\"caf\u00e9\",\"n\":1.0}",
                "status", "queued",
                "created_ts", hash.get("created_ts"),
                "updated_ts", hash.get("created_ts"),
                "ttl_s", "60",
                "result", "",
                "error", ""));
    assertThat(redis.number("PTTL", "job:" + id)).isBetween(50_000L, 60_000L);
    assertThat(redis.number("PTTL", "job:" + id + ":events")).isBetween(50_000L, 60_000L);
  }

  @Test
  void writesExactlyTheContractsQueuedEvent() { // C3.2
    var id = platform.submitBody("{\"task\":\"chat\"}");

    var created = redis.hash("job:" + id).get("created_ts");
    assertThat(redis.stream("job:" + id + ":events"))
        .singleElement()
        .extracting(Resp.Entry::fields)
        .isEqualTo(
            Map.of("type", "queued", "ts", created, "step", "gateway.enqueue", "data", "{}"));
  }

  @Test
  void writesTheContractsEntryWithATraceAndNothingElse() { // C3.1, G5
    var id = platform.submitBody("{\"task\":\"chat\",\"payload\":{\"a\":[1,2]}}");

    var fields = redis.stream("jobs:stream").getFirst().fields();
    assertThat(fields.get("traceparent")).matches("00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]");
    assertThat(fields)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "job_id",
                id,
                "task",
                "chat",
                "payload",
                "{\"a\":[1,2]}",
                "traceparent",
                fields.get("traceparent")));
  }

  @Test
  void carriesTheCallersTrace() { // G5
    platform.submitBody(
        "{\"task\":\"chat\"}",
        "traceparent",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");

    assertThat(redis.stream("jobs:stream").getFirst().fields().get("traceparent"))
        .startsWith("00-0af7651916cd43dd8448eb211c80319c-");
  }

  @Test
  void theIdempotencyKeyLeadsToTheJobForItsLife() { // C3.1, C3.4
    var id = platform.submitBody("{\"task\":\"chat\",\"ttl_s\":60}", "Idempotency-Key", "k 1:{x}");

    assertThat(redis.call("GET", "idempotency:k 1:{x}")).isEqualTo(id);
    assertThat(redis.number("PTTL", "idempotency:k 1:{x}")).isBetween(50_000L, 60_000L);
    assertThat(redis.stream("jobs:stream").getFirst().fields())
        .containsEntry("idempotency_key", "k 1:{x}");
  }

  @Test
  void keepsAnHourWhenTheClientNamesNoLife() { // C3.2
    for (var body : List.of("{\"task\":\"chat\"}", "{\"task\":\"chat\",\"ttl_s\":null}")) {
      var id = platform.submitBody(body);

      assertThat(redis.hash("job:" + id)).containsEntry("ttl_s", "3600");
      assertThat(redis.number("TTL", "job:" + id)).isBetween(3590L, 3600L);
    }
  }

  @Test
  void answersWithTheIdAndWhereToFindIt() { // C3.2
    var answer = platform.post("/v1/jobs", "{\"task\":\"embed\"}");

    var id = Json.parse(answer.body()).get("job_id").stringValue();
    assertThat(answer.statusCode()).isEqualTo(202);
    assertThat(answer.body()).isEqualTo("{\"job_id\":\"" + id + "\"}");
    assertThat(answer.headers().firstValue("Location")).contains("/v1/jobs/" + id);
  }

  @Test
  void showsTheRecordWithJsonValues() { // C3.5
    var id = platform.submitBody("{\"task\":\"plan\",\"payload\":{\"a\":1.50}}");

    var job = platform.get("/v1/jobs/" + id);
    var created = redis.hash("job:" + id).get("created_ts");
    assertThat(job.statusCode()).isEqualTo(200);
    assertThat(job.body())
        .isEqualTo(
            ("{\"job_id\":\"%s\",\"task\":\"plan\",\"payload\":{\"a\":1.50},\"status\":\"queued\","
                    + "\"created_ts\":%s,\"updated_ts\":%s,\"ttl_s\":3600,\"result\":null,\"error\":null}")
                .formatted(id, created, created));
  }

  // Refusals

  @Test
  void acceptsPayloadsOf200KibAndNoByteMore() { // C3.2
    var fits = payload(200 * 1024);

    assertThat(platform.post("/v1/jobs", fits).statusCode()).isEqualTo(202);
    assertProblem(platform.post("/v1/jobs", payload(200 * 1024 + 1)), 413);
    assertThat(redis.number("XLEN", "jobs:stream")).isEqualTo(1);
  }

  @Test
  void measuresPayloadsInBytesAsCompactJson() { // C3.2
    var spaced = "{\"task\":\"chat\",\"payload\":{\"a\":" + " ".repeat(300_000) + "1}}";
    var wide = "{\"task\":\"chat\",\"payload\":{\"a\":\"" + "\u20ac".repeat(70_000) + "\"}}";

    assertThat(platform.post("/v1/jobs", spaced).statusCode()).isEqualTo(202);
    assertProblem(platform.post("/v1/jobs", wide), 413);
  }

  private static String payload(int size) {
    return "{\"task\":\"chat\",\"payload\":{\"a\":\"" + "x".repeat(size - 8) + "\"}}";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"task\":\"sing\"}",
        "{\"payload\":{}}",
        "[]",
        "\"chat\"",
        "null",
        "{\"task\":\"chat\",\"payload\":[]}",
        "{\"task\":\"chat\",\"payload\":\"x\"}",
        "{\"task\":\"chat\",\"payload\":null}",
        "{\"task\":\"chat\",\"ttl_s\":0}",
        "{\"task\":\"chat\",\"ttl_s\":-1}",
        "{\"task\":\"chat\",\"ttl_s\":604801}",
        "{\"task\":\"chat\",\"ttl_s\":1.5}",
        "{\"task\":\"chat\",\"ttl_s\":\"x\"}"
      })
  void refusesWhatIsNoJob(String body) { // C3.2
    assertProblem(platform.post("/v1/jobs", body), 422);
    assertThat(redis.number("DBSIZE")).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "{\"task\":\"chat\"",
        "{'task':'chat'}",
        "{}{}",
        "{\"task\":\"chat\",\"payload\":{\"a\":1e99999999999}}"
      })
  void refusesWhatIsNotJson(String body) { // C3.2
    assertProblem(platform.post("/v1/jobs", body), 400);
    assertThat(redis.number("DBSIZE")).isZero();
  }

  @Test
  void namesTheSixTasksWhenAnotherIsAskedFor() { // C3.2
    var answer = platform.post("/v1/jobs", "{\"task\":\"sing\"}");

    assertThat(answer.body()).contains("chat, plan, code, tool, rag, embed").doesNotContain("sing");
  }

  @Test
  void ignoresFieldsThatItDoesNotKnow() { // G1
    var answer =
        platform.post("/v1/jobs", "{\"task\":\"chat\",\"job_id\":\"mine\",\"priority\":9}");

    assertThat(answer.statusCode()).isEqualTo(202);
    assertThat(answer.body()).doesNotContain("mine");
  }

  @Test
  void unknownJobsAreNotFound() { // C3.5
    for (var id : List.of(UUID.randomUUID().toString(), "x", "a:events", "jobs", "%2e%2e%2fx")) {
      assertProblem(platform.get("/v1/jobs/" + id), 404);
      assertProblem(platform.get("/v1/jobs/" + id + "/events"), 404);
      assertProblem(platform.post("/v1/jobs/" + id + "/cancel", ""), 404);
    }
  }

  // Idempotency

  @Test
  void fiftyPostsWithOneKeyMakeOneJob() throws Exception { // C3.4
    var ids = new HashSet<String>();
    var repeats = 0;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var go = new CountDownLatch(1);
      var answers = new ArrayList<Future<HttpResponse<String>>>();
      for (int i = 0; i < 50; i++) {
        answers.add(
            threads.submit(() -> {
              go.await();
              return platform.post("/v1/jobs", "{\"task\":\"chat\"}", "Idempotency-Key", "one");
            }));
      }
      go.countDown();
      for (var answer : answers) {
        var body = Json.parse(answer.get().body());
        assertThat(answer.get().statusCode()).isEqualTo(202);
        ids.add(body.get("job_id").stringValue());
        if (body.path("idempotent").asBoolean(false)) repeats++;
      }
    }

    assertThat(ids).hasSize(1);
    assertThat(repeats).isEqualTo(49);
    assertThat(redis.number("XLEN", "jobs:stream")).isEqualTo(1);
    assertThat(redis.number("XLEN", "job:" + ids.iterator().next() + ":events")).isEqualTo(1);
  }

  @Test
  void theSameBodyWithOtherSpacesIsTheSameJob() { // C3.4
    var id =
        platform.submitBody(
            "{\"task\":\"chat\",\"payload\":{\"a\":1,\"b\":[2.0]}}", "Idempotency-Key", "k");

    var again =
        platform.post(
            "/v1/jobs",
            "{ \"payload\" : { \"b\" : [ 2.0 ] , \"a\" : 1 },\n \"task\":\"chat\" }",
            "Idempotency-Key",
            "k");

    assertThat(again.statusCode()).isEqualTo(202);
    assertThat(again.body()).isEqualTo("{\"job_id\":\"" + id + "\",\"idempotent\":true}");
  }

  @Test
  void anotherBodyUnderTheSameKeyIsRefused() { // C3.4
    platform.submitBody("{\"task\":\"chat\",\"payload\":{\"a\":1}}", "Idempotency-Key", "k");

    for (var other :
        List.of(
            "{\"task\":\"chat\",\"payload\":{\"a\":2}}",
            "{\"task\":\"plan\",\"payload\":{\"a\":1}}",
            "{\"task\":\"chat\",\"payload\":{\"a\":1},\"ttl_s\":60}")) {
      assertProblem(platform.post("/v1/jobs", other, "Idempotency-Key", "k"), 422);
    }
    assertThat(redis.number("XLEN", "jobs:stream")).isEqualTo(1);
  }

  @Test
  void aKeyOutlivesNoJob() { // C3.4
    var first = platform.submitBody("{\"task\":\"chat\"}", "Idempotency-Key", "k");
    redis.call("DEL", "job:" + first);

    var second = platform.submitBody("{\"task\":\"chat\"}", "Idempotency-Key", "k");

    assertThat(second).isNotEqualTo(first);
    assertThat(redis.call("GET", "idempotency:k")).isEqualTo(second);
  }

  @Test
  void knowsJobsThatAnotherGatewayMade() { // C3.4, G7
    redis.call("SET", "idempotency:k", "py-1", "EX", "60");
    redis.call(
        "HSET",
        "job:py-1",
        "job_id",
        "py-1",
        "task",
        "chat",
        "payload",
        "{\"a\": \"\\u00e9\"}",
        "status",
        "queued",
        "ttl_s",
        "3600");

    var answer =
        platform.post(
            "/v1/jobs",
            "{\"task\":\"chat\",\"payload\":{\"a\":\"\u00e9\"}}",
            "Idempotency-Key",
            "k");

    assertThat(answer.body()).isEqualTo("{\"job_id\":\"py-1\",\"idempotent\":true}");
  }

  // Backpressure

  @Test
  void aFullQueueRefusesNewJobsAndAnswersKnownOnes() { // C3.3
    var known = platform.submitBody("{\"task\":\"chat\"}", "Idempotency-Key", "known");
    for (int i = 1; i < 100; i++) platform.submitBody("{\"task\":\"chat\"}");
    var before = redis.number("DBSIZE");

    var refused = platform.post("/v1/jobs", "{\"task\":\"chat\"}");
    var withKey = platform.post("/v1/jobs", "{\"task\":\"chat\"}", "Idempotency-Key", "new");
    var repeat = platform.post("/v1/jobs", "{\"task\":\"chat\"}", "Idempotency-Key", "known");

    assertProblem(refused, 429);
    assertProblem(withKey, 429);
    assertThat(refused.headers().firstValue("Retry-After"))
        .hasValueSatisfying(s -> assertThat(Integer.parseInt(s)).isPositive());
    assertThat(repeat.body()).isEqualTo("{\"job_id\":\"" + known + "\",\"idempotent\":true}");
    assertThat(redis.number("DBSIZE")).isEqualTo(before);
    assertThat(redis.number("XLEN", "jobs:stream")).isEqualTo(100);
  }

  @Test
  void entriesThatAreDoneDoNotCountAsWaiting() { // C3.3
    redis.call("XGROUP", "CREATE", "jobs:stream", "workers", "0", "MKSTREAM");
    for (int i = 0; i < 100; i++) platform.submitBody("{\"task\":\"chat\"}");
    assertProblem(platform.post("/v1/jobs", "{\"task\":\"chat\"}"), 429);

    for (var entry : redis.stream("jobs:stream")) {
      redis.call(
          "XREADGROUP", "GROUP", "workers", "other", "COUNT", "1", "STREAMS", "jobs:stream", ">");
      redis.call("XACK", "jobs:stream", "workers", entry.id());
    }

    assertThat(platform.post("/v1/jobs", "{\"task\":\"chat\"}").statusCode()).isEqualTo(202);
  }

  @Test
  void aNearlyFullRedisRefusesNewJobsWithOrWithoutKeys() { // C3.3, F31
    try (var small = JobPlatform.smallRedis("16mb")) {
      var body = "{\"task\":\"chat\",\"payload\":{\"a\":\"" + "x".repeat(100_000) + "\"}}";
      var known = small.submitBody(body, "Idempotency-Key", "known");
      fill(small.resp(), 16 * 1024 * 1024 * 85L / 100);
      await().untilAsserted(() -> assertProblem(small.post("/v1/jobs", body), 429));
      var before = small.resp().number("XLEN", "jobs:stream");

      assertProblem(small.post("/v1/jobs", body, "Idempotency-Key", "new"), 429);
      assertThat(small.post("/v1/jobs", body, "Idempotency-Key", "known").body())
          .isEqualTo("{\"job_id\":\"" + known + "\",\"idempotent\":true}");
      assertThat(small.resp().number("XLEN", "jobs:stream")).isEqualTo(before);
    }
  }

  private static void fill(Resp redis, long bytes) {
    for (int i = 0; used(redis) < bytes; i++) redis.call("SET", "b" + i, "x".repeat(50_000));
  }

  private static long used(Resp redis) {
    var info = redis.call("INFO", "memory").toString();
    var at = info.indexOf("used_memory:") + "used_memory:".length();
    return Long.parseLong(info.substring(at, info.indexOf('\r', at)));
  }

  // Naughty strings

  @Test
  void noStringBringsItDown() throws IOException { // F52
    var strings = Corpora.naughtyStrings();
    var answers = new ArrayList<String>();
    for (var text : strings) {
      redis.call("DEL", "jobs:stream");
      var payload = Json.object().put("task", "tool");
      payload.putObject("payload").put("text", text).put(text, 1);
      var body = Json.text(payload);
      var answer = platform.post("/v1/jobs", body);
      answers.add(answer.statusCode() + " " + answer.body());
      if (answer.statusCode() == 202) {
        var id = Json.parse(answer.body()).get("job_id").stringValue();
        var shown = platform.job(id).get("payload");
        assertThat(shown).isEqualTo(Json.parse(body).get("payload"));
      }
      answers.add(raw("GET /v1/jobs/" + URLEncoder.encode(text, UTF_8) + " HTTP/1.1", "", ""));
      answers.add(raw("GET /v1/jobs/" + line(text) + " HTTP/1.1", "", ""));
      answers.add(
          raw("POST /v1/jobs HTTP/1.1", "Idempotency-Key: " + line(text), "{\"task\":\"chat\"}"));
      answers.add(raw("GET /v1/jobs/x/events HTTP/1.1", "Last-Event-ID: " + line(text), ""));
    }

    assertThat(answers)
        .hasSizeGreaterThan(2_000)
        .allSatisfy(answer ->
            assertThat(answer)
                .doesNotStartWith("5")
                .doesNotContain("HTTP/1.1 5", "Exception", "\tat ", "io.tidemill"));
  }

  private static String line(String text) {
    return text.replaceAll("[\\r\\n]", "");
  }

  private static String raw(String requestLine, String header, String body) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), platform.gateway().port())) {
      socket.setSoTimeout(10_000);
      var bytes = body.getBytes(UTF_8);
      var head =
          requestLine
              + "\r\nHost: localhost\r\nConnection: close\r\n"
              + (header.isEmpty() ? "" : header + "\r\n")
              + (body.isEmpty()
                  ? ""
                  : "Content-Type: application/json\r\nContent-Length: " + bytes.length + "\r\n")
              + "\r\n";
      socket.getOutputStream().write(head.getBytes(UTF_8));
      socket.getOutputStream().write(bytes);
      return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }
  }

  private static void assertProblem(HttpResponse<String> answer, int status) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
    var problem = Json.parse(answer.body());
    assertThat(problem.get("status").intValue()).isEqualTo(status);
    assertThat(problem.get("detail").stringValue()).isNotBlank().doesNotContain("Exception");
  }

  // The list

  private static List<String> listed(String query) {
    return Json.parse(platform.get("/v1/jobs" + query).body())
        .path("jobs")
        .valueStream()
        .map(row -> row.path("job_id").asString())
        .toList();
  }

  @Test
  void listsTheNewestFirstAndPageByPage() {
    var ids = new ArrayList<String>();
    for (int i = 0; i < 5; i++) ids.addFirst(platform.submit("echo", "{}"));
    // As if each had come a millisecond after the one before.
    for (int i = 0; i < 5; i++)
      redis.call("ZADD", "jobs:stream:recent", "" + (900 - i), ids.get(i));

    var first = Json.parse(platform.get("/v1/jobs?limit=2").body());
    var rows = first.path("jobs");
    var next = first.path("next").asString();
    var second = Json.parse(platform.get("/v1/jobs?limit=2&before=" + next).body());
    var third =
        Json.parse(
            platform.get("/v1/jobs?limit=2&before=" + second.path("next").asString()).body());

    assertThat(rows.get(0).propertyNames())
        .containsExactly("job_id", "task", "status", "created_at", "updated_at");
    assertThat(first.path("total").asLong()).isEqualTo(5);
    assertThat(listed("")).isEqualTo(ids);
    assertThat(listed("?limit=2")).isEqualTo(ids.subList(0, 2));
    assertThat(second.path("jobs").get(0).path("job_id").asString()).isEqualTo(ids.get(2));
    assertThat(third.path("jobs").get(0).path("job_id").asString()).isEqualTo(ids.get(4));
    assertThat(third.has("next")).isFalse();
  }

  @Test
  void listsByStatusAndTaskAndLeavesOutWhatExpired() {
    var embed = platform.submitBody("{\"task\":\"embed\",\"payload\":{\"text\":\"a\"}}");
    var failed = platform.submit("echo", "{}");
    var gone = platform.submit("echo", "{}");
    redis.call("DEL", "job:" + gone);
    redis.call(
        "HSET",
        "job:" + failed,
        "status",
        "error",
        "error",
        "{\"code\":\"TIMEOUT\",\"message\":\"it took too long\"}");

    assertThat(listed("")).containsExactlyInAnyOrder(embed, failed);
    assertThat(listed("?task=embed")).containsExactly(embed);
    assertThat(listed("?status=error")).containsExactly(failed);
    assertThat(listed("?status=done")).isEmpty();
    assertThat(platform.get("/v1/jobs?status=error").body())
        .contains("\"error\":\"TIMEOUT: it took too long\"", "\"total\":1");
    assertThat(platform.get("/v1/jobs").body()).contains("\"total\":2"); // it was forgotten
  }

  @Test
  void findsItsWayThroughManyThatCameAtTheSameTime() {
    var call = new ArrayList<>(List.of("ZADD", "jobs:stream:recent"));
    for (int i = 0; i < 1_700; i++) {
      redis.call("HSET", "job:same-" + i, "task", "tool", "status", "queued");
      call.addAll(List.of("0", "same-" + i));
    }
    redis.call(call.toArray());

    var seen = new ArrayList<String>();
    var next = "";
    do {
      var page = Json.parse(platform.get("/v1/jobs?limit=400&before=" + next).body());
      page.path("jobs").forEach(row -> seen.add(row.path("job_id").asString()));
      next = page.path("next").asString("");
    } while (!next.isEmpty());

    assertThat(seen).hasSize(1_700).doesNotHaveDuplicates();
  }

  @Test
  void cutsALongErrorBetweenTwoCharacters() {
    var id = platform.submit("echo", "{}");
    redis.call("HSET", "job:" + id, "status", "error", "error", "x".repeat(198) + "🌊🌊");

    assertThat(platform.get("/v1/jobs").body()).contains("x".repeat(198) + "…");
  }

  @ParameterizedTest
  @ValueSource(strings = {"status=finished", "task=sing", "limit=0", "before=yesterday"})
  void refusesWrongParametersOfTheList(String query) {
    var answer = platform.get("/v1/jobs?" + query);

    assertThat(answer.statusCode()).isEqualTo(422);
    assertThat(answer.body()).contains(query.substring(0, query.indexOf('=')) + " must be");
  }

  @Test
  void keepsTheNewestOfVeryManyInTheList() {
    var resp = platform.resp();
    for (int i = 0; i < 10_050; i += 50) {
      var call = new ArrayList<>(List.of("ZADD", "jobs:stream:recent"));
      for (int n = i; n < i + 50; n++) call.addAll(List.of("" + n, "old-" + n));
      resp.call(call.toArray());
    }

    var id = platform.submit("echo", "{}");

    assertThat(resp.number("ZCARD", "jobs:stream:recent")).isEqualTo(10_000);
    assertThat(listed("")).containsExactly(id);
  }
}
