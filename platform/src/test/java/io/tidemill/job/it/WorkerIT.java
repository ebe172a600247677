package io.tidemill.job.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.json.Json;
import io.tidemill.support.JobPlatform;
import io.tidemill.support.Resp;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the worker makes of jobs that our gateway took in.
class WorkerIT {
  private static JobPlatform platform;
  private static Resp redis;

  @BeforeAll
  static void start() {
    platform = JobPlatform.whole("worker.max-deliveries=3", "worker.lease=30s");
    redis = platform.resp();
  }

  @AfterAll
  static void stop() {
    platform.close();
  }

  // How jobs end

  @Test
  void runsAJobAndReportsEveryStep() { // C3.7
    var id = platform.submit("echo", "{\"x\":1.50}");

    var job = platform.awaitEnd(id);
    platform.awaitNothingPending();

    assertThat(job.get("status").stringValue()).isEqualTo("done");
    assertThat(job.get("result").toString()).isEqualTo("{\"x\":1.50}");
    assertThat(job.get("error").isNull()).isTrue();
    assertThat(redis.types(id)).containsExactly("queued", "running", "done");
    var done = redis.stream("job:" + id + ":events").getLast().fields();
    assertThat(done)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "type", "done",
                "ts", redis.hash("job:" + id).get("updated_ts"),
                "step", "worker.done",
                "data", "{\"result\":{\"x\":1.50}}"));
    assertThat(redis.hash("job:" + id)).hasSize(9).containsEntry("error", "");
  }

  @ParameterizedTest
  @ValueSource(strings = {"rag", "embed"})
  void aTaskWithoutHandlerIsAnError(String task) { // C3.7, C3.11
    var id = platform.submitBody("{\"task\":\"" + task + "\"}");

    assertThat(platform.awaitEnd(id).at("/error/code").stringValue()).isEqualTo("HANDLER_MISSING");
  }

  @ParameterizedTest
  @CsvSource({"chat, prompt", "plan, goal", "code, task"})
  void namesTheSettingThatAModelJobNeeds(String task, String field) { // C3.11
    var id =
        platform.submitBody(
            "{\"task\":\"%s\",\"payload\":{\"%s\":\"anything\"}}".formatted(task, field));

    var error = platform.awaitEnd(id).get("error");
    assertThat(error.get("code").stringValue()).isEqualTo("NOT_CONFIGURED");
    assertThat(error.get("message").stringValue()).contains("llm.url and llm.model are not set");
  }

  @ParameterizedTest
  @CsvSource({
    "failure, NO_LUCK, it can't be done",
    "runtime, HANDLER_FAILED, broken",
    "checked, HANDLER_FAILED, IOException",
    "stack, HANDLER_FAILED, StackOverflowError",
    "memory, HANDLER_FAILED, Java heap space",
    "linkage, HANDLER_FAILED, org/example/Missing",
    "assertion, HANDLER_FAILED, this can't be",
    "error, HANDLER_FAILED, anything"
  })
  void everyExceptionOfAHandlerEndsTheJob(String how, String code, String message) { // G3
    var id = platform.submit("fail", "{\"how\":\"" + how + "\"}");

    var error = platform.awaitEnd(id).get("error");
    assertThat(error.get("code").stringValue()).isEqualTo(code);
    assertThat(error.get("message").stringValue()).isEqualTo(message);
    assertThat(redis.types(id)).containsExactly("queued", "running", "error");
    var event = redis.stream("job:" + id + ":events").getLast().fields();
    assertThat(event).containsEntry("step", "worker.error").containsEntry("data", error.toString());
    assertThat(platform.awaitEnd(platform.submit("echo", "{}")).get("status").stringValue())
        .isEqualTo("done");
  }

  @Test
  void aMessageThatUtf8CanNotCarryIsStillAnEnd() { // G3
    var id = platform.submit("fail", "{\"how\":\"surrogate\"}");

    assertThat(platform.awaitEnd(id).at("/error/code").stringValue()).isEqualTo("HANDLER_FAILED");
  }

  @Test
  void aHandlersLongMessageIsCut() { // F30: events go to every follower
    var id = platform.submit("fail", "{\"how\":\"long\"}");

    assertThat(platform.awaitEnd(id).at("/error/message").stringValue()).hasSizeLessThan(5_000);
    var event = redis.stream("job:" + id + ":events").getLast().fields();
    assertThat(event.get("data")).hasSizeLessThan(64 * 1024);
  }

  @Test
  void aHandlerMayReturnNothing() {
    var id = platform.submit("fail", "{\"how\":\"null\"}");

    var job = platform.awaitEnd(id);
    assertThat(job.get("status").stringValue()).isEqualTo("done");
    assertThat(job.get("result").isNull()).isTrue();
  }

  @Test
  void aLargeResultStaysInTheRecordAndOutOfTheEvent() { // F30
    var id = platform.submit("big", "{\"n\":100000}");

    assertThat(platform.awaitEnd(id).get("result").stringValue()).hasSize(100_000);
    assertThat(redis.stream("job:" + id + ":events").getLast().fields())
        .containsEntry("data", "{\"result_size\":100002}");
  }

  @Test
  void aResultBeyondTheLimitIsAnError() { // F30
    var id = platform.submit("big", "{\"n\":1048576}");

    var job = platform.awaitEnd(id);
    assertThat(job.at("/error/code").stringValue()).isEqualTo("RESULT_TOO_LARGE");
    assertThat(job.get("result").isNull()).isTrue();
  }

  @Test
  void handlersReportProgress() { // C3.12
    var id = platform.submit("report", "{}");
    platform.awaitEnd(id);

    var events = redis.stream("job:" + id + ":events").stream().map(Resp.Entry::fields).toList();
    assertThat(redis.types(id))
        .containsExactly("queued", "running", "progress", "log", "token", "token", "done");
    assertThat(events.get(2))
        .containsEntry("data", "{\"fraction\":0.5,\"message\":\"half\\nway\"}")
        .containsEntry("step", "worker.tool")
        .hasSize(4);
    assertThat(events.get(5))
        .containsEntry("data", "{\"text\":\"lo \\\"you\\\"\",\"attempt\":1,\"try\":1}");
  }

  // Retries and the dead

  @Test
  void triesAgainWhenAskedTo() { // C3.8
    try (var own = JobPlatform.whole("worker.lease=2s")) {
      var id = own.submit("fail", "{\"how\":\"retry-once\"}");

      assertThat(own.awaitEnd(id).get("result").stringValue()).isEqualTo("second");
      assertThat(own.resp().types(id))
          .containsExactly("queued", "running", "log", "running", "done");
      assertThat(own.resp().stream("job:" + id + ":events").get(2).fields())
          .containsEntry("data", "{\"message\":\"will be tried again: not now\"}")
          .containsEntry("step", "worker.tool");
    }
  }

  @Test
  void aLongReasonToTryAgainIsCut() { // F30
    try (var own = JobPlatform.whole("worker.lease=1s", "worker.max-deliveries=1")) {
      var id = own.submit("fail", "{\"how\":\"retry-long\"}");

      assertThat(own.awaitEnd(id).at("/error/code").stringValue()).isEqualTo("DELIVERY_LIMIT");
      assertThat(own.resp().stream("job:" + id + ":events").get(2).fields())
          .containsEntry("type", "log")
          .hasEntrySatisfying("data", data -> assertThat(data).hasSizeLessThan(5_000));
    }
  }

  @Test
  void givesUpAfterTheLastDeliveryAndKeepsTheEntryForARedrive() throws Exception { // C3.8, G3
    try (var own = JobPlatform.whole("worker.lease=1s", "worker.max-deliveries=3")) {
      var id = own.submit("fail", "{\"how\":\"retry\"}");
      var job = own.awaitEnd(id);

      assertThat(job.at("/error/code").stringValue()).isEqualTo("DELIVERY_LIMIT");
      assertThat(own.resp().types(id))
          .containsExactly("queued", "running", "log", "running", "log", "running", "log", "error");
      var listed = Json.parse(own.get("/api/dead").body());
      assertThat(listed.get("total").intValue()).isEqualTo(1);
      var dead = listed.at("/dead/0");
      assertThat(dead.get("job_id").stringValue()).isEqualTo(id);
      assertThat(dead.get("reason").stringValue()).isEqualTo("DELIVERY_LIMIT");
      assertThat(dead.get("origin").stringValue()).isEqualTo("jobs:stream");
      assertThat(dead.at("/fields/job_id").stringValue()).isEqualTo(id);
      assertThat(dead.at("/fields/payload").stringValue())
          .isEqualTo("{\"name\":\"fail\",\"arguments\":{\"how\":\"retry\"}}");
      var path = "/api/dead/" + dead.get("id").stringValue();
      var shown = Json.parse(own.get(path).body());
      dead.properties()
          .forEach(each -> assertThat(shown.get(each.getKey())).isEqualTo(each.getValue()));
      assertThat(shown.get("editable").booleanValue()).isTrue();

      var redriven = own.post(path + "/redrive", "");
      assertThat(redriven.statusCode()).isEqualTo(202);
      var second = Json.parse(redriven.body()).get("job_id").stringValue();
      assertThat(second).isNotEqualTo(id);
      assertThat(own.get(path).statusCode()).isEqualTo(404);
      assertThat(own.post(path + "/redrive", "").statusCode()).isEqualTo(404);
      assertThat(own.awaitEnd(second).at("/error/code").stringValue()).isEqualTo("DELIVERY_LIMIT");
      own.awaitNothingPending();
    }
  }

  @Test
  void aDeadEntryOfAnotherProgramIsShownAndNotRedriven() { // G7
    var id = (String) redis.call("XADD", "jobs:dead", "*", "fields", "{not json", "note", "x");

    assertThat(platform.get("/api/dead").statusCode()).isEqualTo(200);
    assertThat(Json.parse(platform.get("/api/dead/" + id).body()).get("fields").stringValue())
        .isEqualTo("{not json");
    assertThat(platform.post("/api/dead/" + id + "/redrive", "").statusCode()).isEqualTo(422);
    redis.call("DEL", "jobs:dead");
  }

  // Cancel

  @Test
  void cancelsAQueuedJobAtOnce() throws Exception { // C3.10
    try (var own = JobPlatform.redis()) {
      var id = own.submit("echo", "{}");

      var answer = own.post("/v1/jobs/" + id + "/cancel", "{\"reason\":\"changed my mind\"}");

      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(Json.parse(answer.body()).get("status").stringValue()).isEqualTo("canceled");
      assertThat(own.resp().types(id)).containsExactly("queued", "canceled");
      assertThat(own.resp().stream("job:" + id + ":events").getLast().fields())
          .containsEntry("data", "{\"reason\":\"changed my mind\"}")
          .containsEntry("step", "gateway.cancel");
      var worker = own.worker();
      own.awaitNothingPending();
      await().until(() -> worker.deliveries("skipped") == 1);
      assertThat(own.resp().types(id)).containsExactly("queued", "canceled");
    }
  }

  @Test
  void stopsARunningJobPromptlyAndFreesItsSlot() throws Exception { // C3.10
    try (var own = JobPlatform.whole("worker.slots=1", "worker.lease=60s")) {
      var id = own.submit("sleep", "{\"ms\":60000}");
      own.awaitStatus(id, "running");
      await()
          .until(() ->
              Resp.list(own.resp().call("PUBSUB", "NUMSUB", "jobs:cancel")).getLast().equals(1L));
      var next = own.submit("echo", "{}");
      var began = System.nanoTime();

      assertThat(own.post("/v1/jobs/" + id + "/cancel", "").statusCode()).isEqualTo(200);

      assertThat(own.awaitEnd(next).get("status").stringValue()).isEqualTo("done");
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(15));
      own.awaitNothingPending();
      assertThat(own.status(id)).isEqualTo("canceled");
      assertThat(own.resp().ends(id)).isEqualTo(1);
    }
  }

  @Test
  void anEndedJobCanNotBeCanceled() { // C3.10
    var id = platform.submit("echo", "{}");
    platform.awaitEnd(id);
    var before = redis.stream("job:" + id + ":events");

    var answer = platform.post("/v1/jobs/" + id + "/cancel", "");

    assertThat(answer.statusCode()).isEqualTo(409);
    assertThat(Json.parse(answer.body()).get("job_status").stringValue()).isEqualTo("done");
    assertThat(redis.stream("job:" + id + ":events")).isEqualTo(before);
  }

  @Test
  void aCancelThatRacesTheEndLeavesOneEnd() throws Exception { // C3.10, F32
    var ids = new ArrayList<String>();
    try (var threads = Executors.newFixedThreadPool(8)) {
      var answers = new ArrayList<java.util.concurrent.Future<String>>();
      for (int i = 0; i < 1_000; i++) {
        answers.add(
            threads.submit(() -> {
              var id = platform.submit("echo", "{}");
              var answer = platform.post("/v1/jobs/" + id + "/cancel", "");
              assertThat(answer.statusCode()).isIn(200, 409);
              return id;
            }));
      }
      for (var answer : answers) ids.add(answer.get());
    }
    platform.awaitNothingPending();

    var byEnd = new java.util.TreeMap<String, Integer>();
    for (var id : ids) {
      assertThat(redis.ends(id)).isEqualTo(1);
      assertThat(redis.types(id).getLast())
          .isEqualTo(platform.resp().hash("job:" + id).get("status"));
      byEnd.merge(redis.types(id).getLast(), 1, Integer::sum);
    }
    assertThat(byEnd.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(1_000);
  }

  // Life

  @Test
  void aJobOutlivesItsTtlWhileItRuns() { // C3.7, F20
    var id =
        platform.submitBody(
            "{\"task\":\"tool\",\"ttl_s\":4,\"payload\":{\"name\":\"stubborn\",\"arguments\":{\"ms\":6000}}}",
            "Idempotency-Key",
            "short");

    await().until(() -> redis.ends(id) == 1);
    assertThat(redis.types(id)).containsExactly("queued", "running", "done");
    assertThat(redis.number("EXISTS", "idempotency:short")).isEqualTo(1);
    await()
        .until(() ->
            redis.number("EXISTS", "job:" + id, "job:" + id + ":events", "idempotency:short") == 0);
  }

  @Test
  void everyEventRefreshesTheLife() { // C3.7
    var id =
        platform.submitBody(
            "{\"task\":\"tool\",\"ttl_s\":100,\"payload\":{\"name\":\"sleep\",\"arguments\":{\"ms\":60000}}}");
    platform.awaitStatus(id, "running");
    redis.call("EXPIRE", "job:" + id, "5");
    redis.call("EXPIRE", "job:" + id + ":events", "5");

    platform.post("/v1/jobs/" + id + "/cancel", "");

    assertThat(redis.number("TTL", "job:" + id)).isGreaterThan(90);
    assertThat(redis.number("TTL", "job:" + id + ":events")).isGreaterThan(90);
  }

  @Test
  void aJobThatExpiredInTheQueueLeavesNothingBehind() throws Exception { // C3.7, F21
    try (var own = JobPlatform.redis()) {
      var id = own.submitBody("{\"task\":\"chat\",\"ttl_s\":1}");
      await().until(() -> own.resp().number("EXISTS", "job:" + id) == 0);

      var worker = own.worker();
      await().until(() -> worker.deliveries("skipped") == 1);

      own.awaitNothingPending();
      assertThat(own.get("/v1/jobs/" + id).statusCode()).isEqualTo(404);
      assertThat(Resp.list(own.resp().call("KEYS", "job:*"))).isEmpty();
      assertThat(own.resp().number("EXISTS", "jobs:dead")).isZero();
    }
  }

  @Test
  void aHandlerThatIgnoresInterruptsDoesNotKeepItsJobFromEnding() throws Exception { // G4
    try (var own = JobPlatform.whole("worker.timeout=300ms", "worker.stop-timeout=100ms")) {
      var id = own.submit("stubborn", "{\"ms\":60000}");

      assertThat(own.awaitEnd(id).at("/error/code").stringValue()).isEqualTo("TIMEOUT");
      own.awaitNothingPending();
    }
  }

  @Test
  void workersAreCountedWhileTheyLive() throws Exception {
    try (var own = JobPlatform.whole()) {
      var second = own.worker();
      assertThat(own.get("/api/status").body()).contains("\"workers\":2");

      own.stop(second);

      assertThat(own.get("/api/status").body()).contains("\"workers\":1");
    }
  }

  @Test
  void anAttemptThatTakesTooLongIsStopped() throws Exception { // worker.timeout
    try (var own = JobPlatform.whole("worker.timeout=300ms")) {
      var id = own.submit("sleep", "{\"ms\":60000}");

      assertThat(own.awaitEnd(id).at("/error/code").stringValue()).isEqualTo("TIMEOUT");
      own.awaitNothingPending();
    }
  }

  // The stream

  @Test
  void trimsEntriesThatAllGroupsHaveRead() throws Exception { // C3.9
    try (var own = JobPlatform.whole()) {
      for (int i = 0; i < 20; i++) own.awaitEnd(own.submit("echo", "{}"));

      await().until(() -> own.resp().number("XLEN", "jobs:stream") == 0);
    }
  }

  @Test
  void keepsWhatAnotherGroupStillNeeds() throws Exception { // C3.9
    try (var own = JobPlatform.redis()) {
      var audit = own.resp();
      audit.call("XGROUP", "CREATE", "jobs:stream", "audit", "0", "MKSTREAM");
      own.worker();
      for (int i = 0; i < 10; i++) own.awaitEnd(own.submit("echo", "{}"));
      for (int i = 0; i < 4; i++) {
        audit.call(
            "XREADGROUP", "GROUP", "audit", "a", "COUNT", "1", "STREAMS", "jobs:stream", ">");
      }
      var first = audit.stream("jobs:stream").getFirst().id();
      audit.call("XACK", "jobs:stream", "audit", first);

      await().until(() -> audit.number("XLEN", "jobs:stream") == 9);
      var rest =
          audit.call(
              "XREADGROUP", "GROUP", "audit", "a", "COUNT", "100", "STREAMS", "jobs:stream", ">");
      assertThat(Resp.list(Resp.list(Resp.list(rest).getFirst()).get(1))).hasSize(6);
    }
  }

  @Test
  void trimsNothingWhileItsOwnGroupIsGone() throws Exception { // C3.9, F22
    try (var own = JobPlatform.whole("worker.slots=1")) {
      var redis = own.resp();
      redis.call("XGROUP", "CREATE", "jobs:stream", "audit", "0");
      var busy = own.submit("sleep", "{\"ms\":2500}");
      own.awaitStatus(busy, "running");
      redis.call("XGROUP", "DESTROY", "jobs:stream", "workers");
      var waiting = own.submit("echo", "{}");
      redis.call("XREADGROUP", "GROUP", "audit", "a", "NOACK", "STREAMS", "jobs:stream", ">");

      assertThat(own.awaitEnd(waiting).get("status").stringValue()).isEqualTo("done");
    }
  }

  @Test
  void recoversFromAWipedRedisEvenWithEverySlotTaken() throws Exception { // F22
    try (var own = JobPlatform.whole("worker.slots=1", "worker.lease=1s")) {
      var lost = own.submit("sleep", "{\"ms\":3000}");
      own.awaitStatus(lost, "running");
      own.resp().call("FLUSHALL");

      var id = own.submit("echo", "{}");

      assertThat(own.awaitEnd(id).get("status").stringValue()).isEqualTo("done");
    }
  }

  // Full

  @Test
  void jobsStillFinishWhenRedisIsFull() throws Exception { // F31
    try (var own = JobPlatform.smallRedis("16mb")) {
      var ids = new ArrayList<String>();
      for (int i = 0; i < 20; i++) ids.add(own.submit("report", "{}"));
      own.resp().call("XGROUP", "CREATE", "jobs:stream", "workers", "0");
      fill(own.resp());

      own.worker(); // started when there is no memory left

      for (var id : ids) assertThat(own.awaitEnd(id).get("status").stringValue()).isEqualTo("done");
      own.awaitNothingPending();
    }
  }

  private static void fill(Resp redis) {
    try {
      for (int i = 0; ; i++) redis.call("SET", "b" + i, "x".repeat(20_000));
    } catch (Resp.Refused full) {
      assertThat(full).hasMessageContaining("OOM");
    }
  }

  // Stopping

  @Test
  void aStoppingWorkerHandsItsJobsOnAtOnce(@TempDir Path dir) throws Exception { // C3.8
    try (var own = JobPlatform.redis("worker.lease=60s", "worker.stop-timeout=100ms")) {
      var first = own.worker();
      var gate =
          Json.object()
              .put("entered", dir.resolve("in").toString())
              .put("go", dir.resolve("go").toString());
      var ids = new ArrayList<String>();
      for (int i = 0; i < 3; i++) ids.add(own.submit("gate", gate.toString()));
      for (var id : ids) own.awaitStatus(id, "running");

      own.stop(first);
      Files.createFile(dir.resolve("go"));
      var began = System.nanoTime();
      own.worker();

      for (var id : ids) {
        assertThat(own.awaitEnd(id).get("result").intValue()).isEqualTo(2);
        assertThat(own.resp().types(id)).containsExactly("queued", "running", "running", "done");
      }
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(20));
    }
  }

  @Test
  void aDeliveryThatAStopCutsOffDoesNotCount(@TempDir Path dir) throws Exception { // C3.8
    try (var own =
        JobPlatform.redis(
            "worker.lease=60s", "worker.stop-timeout=100ms", "worker.max-deliveries=1")) {
      var gate =
          Json.object()
              .put("entered", dir.resolve("in").toString())
              .put("go", dir.resolve("go").toString());
      var first = own.worker();
      var id = own.submit("gate", gate.toString());
      own.awaitStatus(id, "running");
      own.stop(first);
      var second = own.worker();
      await().until(() -> own.resp().types(id).equals(List.of("queued", "running", "running")));
      own.stop(second);
      Files.createFile(dir.resolve("go"));

      own.worker();

      assertThat(own.awaitEnd(id).get("result").intValue()).isEqualTo(3); // attempts still differ
      assertThat(own.resp().number("EXISTS", "jobs:dead")).isZero();
      own.awaitNothingPending();
    }
  }

  @Test
  void aDeliveryWhoseHandlerIgnoresTheStopDoesNotCount() throws Exception { // C3.8
    try (var own =
        JobPlatform.redis(
            "worker.lease=60s", "worker.stop-timeout=100ms", "worker.max-deliveries=1")) {
      var first = own.worker();
      var id = own.submit("stubborn", "{\"ms\":4000}");
      own.awaitStatus(id, "running");
      own.stop(first);

      own.worker();

      assertThat(own.awaitEnd(id).get("status").stringValue()).isEqualTo("done");
      assertThat(own.resp().types(id)).containsExactly("queued", "running", "running", "done");
      own.awaitNothingPending();
    }
  }

  @Test
  void aStoppingWorkerFinishesWhatItCan() throws Exception { // C3.8
    try (var own = JobPlatform.redis("worker.lease=60s", "worker.stop-timeout=20s")) {
      var worker = own.worker();
      var id = own.submit("sleep", "{\"ms\":2000}");
      own.awaitStatus(id, "running");

      own.stop(worker);

      assertThat(own.status(id)).isEqualTo("done");
      assertThat(own.pending()).isZero();
    }
  }

  @Test
  void manyWorkersRunEachJobOnce() throws Exception { // C3.7
    try (var own = JobPlatform.redis("worker.slots=8", "worker.lease=30s")) {
      for (int i = 0; i < 3; i++) own.worker();
      var ids = new ArrayList<String>();
      for (int i = 0; i < 300; i++) ids.add(own.submit("echo", "{\"i\":" + i + "}"));
      for (var id : ids) own.awaitEnd(id);
      own.awaitNothingPending();

      for (var id : ids) {
        assertThat(own.resp().types(id)).isEqualTo(List.of("queued", "running", "done"));
      }
    }
  }
}
