package io.tidemill.job.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.json.Json;
import io.tidemill.support.JobPlatform;
import io.tidemill.support.Resp;
import io.tidemill.support.SseClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// One side of the contract is somebody else's program, which sends plain Redis commands and JSON
/// as Python writes it.
class JobForeignIT {
  private static JobPlatform platform;
  private static Resp redis;

  @BeforeAll
  static void start() {
    platform = JobPlatform.redis("worker.lease=1m", "worker.max-deliveries=3");
    redis = platform.resp();
    // The original gateway makes the group so.
    redis.call("XGROUP", "CREATE", "jobs:stream", "workers", "$", "MKSTREAM");
    platform.gateway();
    platform.worker();
  }

  @AfterAll
  static void stop() {
    platform.close();
  }

  /// Somebody else's gateway: hash, event, entry.
  private static String foreignSubmit(String task, String payload, String ttl) {
    var id = UUID.randomUUID().toString();
    foreignJob(id, task, payload, "queued", ttl);
    foreignEntry(id, task, payload);
    return id;
  }

  private static void foreignJob(
      String id, String task, String payload, String status, String ttl) {
    redis.call(
        "HSET",
        "job:" + id,
        "job_id",
        id,
        "task",
        task,
        "payload",
        payload,
        "status",
        status,
        "created_ts",
        "1736000000000",
        "updated_ts",
        "1736000000000",
        "ttl_s",
        ttl,
        "result",
        "",
        "error",
        "");
    redis.call("EXPIRE", "job:" + id, "100");
    redis.call(
        "XADD",
        "job:" + id + ":events",
        "*",
        "type",
        "queued",
        "ts",
        "1736000000000",
        "step",
        "gateway.enqueue",
        "data",
        "{}");
    redis.call("EXPIRE", "job:" + id + ":events", "100");
  }

  private static String foreignEntry(String id, String task, String payload) {
    return (String)
        redis.call("XADD", "jobs:stream", "*", "job_id", id, "task", task, "payload", payload);
  }

  // Somebody else's gateway, our worker

  @Test
  void finishesTheJobsOfAnotherGateway() { // C3.7, G7
    var id =
        foreignSubmit(
            "tool",
            "{\"name\": \"echo\", \"arguments\": {\"a\": [1, 2.0], \"b\": \"\\u00e9\"}}",
            "500");

    platform.awaitStatus(id, "done");
    platform.awaitNothingPending();

    var hash = redis.hash("job:" + id);
    assertThat(hash.get("result")).isEqualTo("{\"a\":[1,2.0],\"b\":\"\u00e9\"}");
    assertThat(hash)
        .hasSize(9)
        .containsEntry("error", "")
        .containsEntry("created_ts", "1736000000000");
    assertThat(Long.parseLong(hash.get("updated_ts"))).isGreaterThan(1736000000000L);
    assertThat(redis.types(id)).containsExactly("queued", "running", "done");
    assertThat(redis.stream("job:" + id + ":events"))
        .allSatisfy(
            event -> assertThat(event.fields()).containsOnlyKeys("type", "ts", "step", "data"));
    assertThat(redis.number("TTL", "job:" + id)).isBetween(490L, 500L);
    assertThat(redis.number("TTL", "job:" + id + ":events")).isBetween(490L, 500L);
    assertThat(platform.get("/v1/jobs").body()).contains(id); // it is in the list, too
  }

  @ParameterizedTest
  @ValueSource(strings = {"nan", "inf", "-1", "1.5", "yesterday", ""})
  void runsAJobWithAnyTimestamp(String created) { // C3.1, G7
    var id = UUID.randomUUID().toString();
    foreignJob(id, "tool", "{\"name\":\"echo\"}", "queued", "500");
    redis.call("HSET", "job:" + id, "created_ts", created);
    foreignEntry(id, "tool", "{\"name\":\"echo\"}");

    platform.awaitStatus(id, "done");

    assertThat(platform.get("/v1/jobs").body()).contains(id);
  }

  @Test
  void writesInTheOrderOfTheContract() throws IOException { // C3.7
    try (var monitor = new Resp(platform.server().port())) {
      monitor.call("MONITOR");
      var id = foreignSubmit("tool", "{\"name\": \"echo\"}", "60");
      platform.awaitStatus(id, "done");

      var writes = new ArrayList<String>();
      while (writes.size() < 5) {
        var line = monitor.read().toString();
        if (!line.contains(" lua] ")) continue;
        if (line.contains("\"HSET\" \"job:" + id)) writes.add("hash " + status(line));
        if (line.contains("\"XADD\" \"job:" + id)) writes.add("event " + status(line));
        if (line.contains("\"XACK\" \"jobs:stream\" \"workers\"")) writes.add("ack");
      }
      assertThat(writes)
          .containsExactly("hash running", "event running", "hash done", "event done", "ack");
    }
  }

  private static String status(String line) {
    return line.contains("\"running\"") ? "running" : line.contains("\"done\"") ? "done" : "?";
  }

  @Test
  void keepsAPayloadThatIsNotJsonAsRaw() { // C3.7
    var id = foreignSubmit("tool", "{'name': 'echo'}", "60");

    // The tool sees {"_raw": …}, and so no name.
    platform.awaitStatus(id, "error");
    assertThat(redis.hash("job:" + id).get("error")).contains("BAD_PAYLOAD");
    assertThat(redis.hash("job:" + id)).containsEntry("payload", "{'name': 'echo'}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0", "-5", "3600.5", "", "soon", "1e400", "nan", "99999999999999999999", "0x10"})
  void survivesALifeThatIsNoNumberOfSeconds(String ttl) { // G7
    var id = foreignSubmit("tool", "{\"name\": \"report\"}", ttl);

    platform.awaitStatus(id, "done");
    platform.awaitNothingPending();
    assertThat(redis.types(id)).startsWith("queued", "running").endsWith("done");
    assertThat(redis.number("TTL", "job:" + id)).isBetween(1L, 604_800L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-5", "3600.5", "soon"})
  void cancelsAJobWithAnInvalidTtl(String ttl) { // G7, C3.10
    var id = UUID.randomUUID().toString();
    foreignJob(id, "tool", "{}", "queued", ttl);

    assertThat(platform.post("/v1/jobs/" + id + "/cancel", "").statusCode()).isEqualTo(200);

    assertThat(redis.hash("job:" + id)).containsEntry("status", "canceled");
    assertThat(redis.types(id)).containsExactly("queued", "canceled");
  }

  @Test
  void buriesAnEntryWithoutItsFields() { // C3.7, G3
    redis.call("DEL", "jobs:dead");
    redis.call("XADD", "jobs:stream", "*", "job_id", "no-payload", "task", "tool");
    redis.call("XADD", "jobs:stream", "*", "hello", "world");
    redis.call("XADD", "jobs:stream", "*", "job_id", "a:b", "task", "tool", "payload", "{}");
    redis.call(
        "XADD",
        "jobs:stream",
        "*",
        "job_id",
        new byte[] {(byte) 0xff},
        "task",
        "t",
        "payload",
        "{}");

    await().until(() -> redis.number("XLEN", "jobs:dead") == 4);
    platform.awaitNothingPending();

    var dead = redis.stream("jobs:dead").stream().map(Resp.Entry::fields).toList();
    assertThat(dead).allSatisfy(entry -> assertThat(entry).containsEntry("reason", "MALFORMED"));
    assertThat(dead)
        .extracting(entry -> entry.get("fields"))
        .contains("{\"hello\":\"world\"}")
        .anySatisfy(fields -> assertThat(fields).contains("{\"base64\":\"/w==\"}"));
    assertThat(Resp.list(redis.call("KEYS", "job:no-payload*"))).isEmpty();
    var id = redis.stream("jobs:dead").getFirst().id();
    assertThat(platform.post("/api/dead/" + id + "/redrive", "").statusCode()).isEqualTo(422);
  }

  @Test
  void acknowledgesAJobWhoseHashIsGoneAndMakesNoKey() { // C3.7, F20
    foreignEntry("gone-1", "tool", "{\"name\": \"echo\"}");

    await().until(() -> platform.pending() == 0);

    assertThat(Resp.list(redis.call("KEYS", "job:gone-1*"))).isEmpty();
  }

  @Test
  void skipsAJobThatWasCanceledBefore() { // C3.7
    var id = UUID.randomUUID().toString();
    foreignJob(id, "tool", "{}", "canceled", "60");
    foreignEntry(id, "tool", "{\"name\": \"echo\"}");

    await().until(() -> platform.pending() == 0);

    assertThat(redis.hash("job:" + id)).containsEntry("status", "canceled");
    assertThat(redis.types(id)).containsExactly("queued");
  }

  @Test
  void runsAJobOnceHoweverOftenItIsQueued(@TempDir Path dir) throws IOException { // C3.7, G4
    var payload = Json.object().put("name", "gate");
    payload
        .putObject("arguments")
        .put("entered", dir.resolve("in").toString())
        .put("go", dir.resolve("go").toString());
    var id = UUID.randomUUID().toString();
    foreignJob(id, "tool", payload.toString(), "queued", "60");
    for (int i = 0; i < 10; i++) foreignEntry(id, "tool", payload.toString());
    await().until(() -> platform.pending() == 1);
    Files.createFile(dir.resolve("go"));

    platform.awaitStatus(id, "done");
    platform.awaitNothingPending();

    assertThat(redis.types(id)).containsExactly("queued", "running", "done");
    assertThat(Files.readAllLines(dir.resolve("in"))).containsExactly("1");
  }

  @Test
  void anUnknownTaskIsAnError() { // C3.7
    var id = foreignSubmit("sing", "{}", "60");

    platform.awaitStatus(id, "error");
    assertThat(redis.hash("job:" + id).get("error")).contains("HANDLER_MISSING");
  }

  @Test
  void aJobWhoseKeysAreSomethingElseIsBuried() { // G3
    redis.call("DEL", "jobs:dead");
    redis.call("SET", "job:string-1", "not a hash");
    foreignEntry("string-1", "tool", "{\"name\": \"echo\"}");

    await().until(() -> redis.number("XLEN", "jobs:dead") == 1);
    platform.awaitNothingPending();
    assertThat(redis.call("GET", "job:string-1")).isEqualTo("not a hash");
    redis.call("DEL", "job:string-1");
  }

  // Our gateway, somebody else's worker

  @Test
  void aForeignWorkersEventsReachTheReaderAndEndIt() throws IOException { // C3.6
    try (var own = JobPlatform.redis();
        var worker = new Resp(own.server().port())) {
      worker.call("XGROUP", "CREATE", "jobs:stream", "workers", "0", "MKSTREAM");
      var id = own.submitBody("{\"task\":\"chat\",\"payload\":{\"q\":1}}");
      try (var reader = new SseClient(own.gateway().port(), "/v1/jobs/" + id + "/events", null)) {
        assertThat(reader.next().type()).isEqualTo("hello");
        assertThat(reader.next().type()).isEqualTo("queued");
        var read =
            worker.call(
                "XREADGROUP",
                "GROUP",
                "workers",
                "py",
                "COUNT",
                "1",
                "STREAMS",
                "jobs:stream",
                ">");
        var entry = Resp.entry(Resp.list(Resp.list(Resp.list(read).getFirst()).get(1)).getFirst());
        assertThat(entry.fields())
            .containsEntry("job_id", id)
            .containsEntry("payload", "{\"q\":1}");
        var events = "job:" + id + ":events";
        worker.call("HSET", "job:" + id, "status", "running", "updated_ts", "1");
        worker.call(
            "XADD",
            events,
            "*",
            "type",
            "running",
            "ts",
            "1",
            "step",
            "worker.start",
            "data",
            "{}");
        worker.call("XADD", events, "*", "type", "worker.echo", "ts", "x", "data", "not json");
        worker.call(
            "XADD",
            events,
            "*",
            "type",
            "two\r\nlines\u0000",
            "step",
            "a\nb",
            "data",
            "{\"a\": \"\\ud800\"}");
        worker.call("XADD", events, "*", "only", "this");
        worker.call("XADD", events, "*", "type", "", "data", "");
        worker.call(
            "XADD", events, "*", "type", "raw", "data", new byte[] {(byte) 0xff, '\n', 'd'});
        worker.call("XADD", events, "*", "type", "deep", "data", "[".repeat(100_000));
        worker.call("HSET", "job:" + id, "status", "done", "result", "{\"text\": \"hi\"}");
        worker.call(
            "XADD",
            events,
            "*",
            "type",
            "done",
            "ts",
            "2",
            "step",
            "worker.done",
            "data",
            "{\"text\": \"hi\"}");
        worker.call("XACK", "jobs:stream", "workers", entry.id());

        var seen = reader.rest();
        assertThat(seen)
            .hasSize(8)
            .allSatisfy(event -> assertThat(Json.parse(event.data()).isObject()).isTrue());
        assertThat(seen.get(0).type()).isEqualTo("running");
        assertThat(Json.parse(seen.get(1).data()).get("data").stringValue()).isEqualTo("not json");
        assertThat(seen.get(2).type()).isEqualTo("two  lines ");
        assertThat(seen.get(3).type()).isEqualTo("message");
        assertThat(seen.getLast().type()).isEqualTo("done");
        assertThat(Json.parse(seen.getLast().data()).at("/data/text").stringValue())
            .isEqualTo("hi");
        assertThat(own.job(id).at("/result/text").stringValue()).isEqualTo("hi");
      }
    }
  }

  @Test
  void aCancelReachesAForeignWorkerThroughTheHash() { // C3.10
    try (var own = JobPlatform.redis()) {
      var id = own.submitBody("{\"task\":\"chat\"}");
      own.resp().call("HSET", "job:" + id, "status", "running");

      assertThat(own.post("/v1/jobs/" + id + "/cancel", "").statusCode()).isEqualTo(200);

      assertThat(own.resp().hash("job:" + id)).containsEntry("status", "canceled").hasSize(9);
      assertThat(own.resp().types(id)).containsExactly("queued", "canceled");
    }
  }

  @Test
  void ourWorkerFinishesWhatAForeignOneLeftBehind() { // C3.8
    try (var own = JobPlatform.redis("worker.lease=1m")) {
      var foreign = own.resp();
      foreign.call("XGROUP", "CREATE", "jobs:stream", "workers", "0", "MKSTREAM");
      var id = own.submit("echo", "{\"a\":1}");
      foreign.call(
          "XREADGROUP", "GROUP", "workers", "py", "COUNT", "1", "STREAMS", "jobs:stream", ">");
      foreign.call("HSET", "job:" + id, "status", "running");
      foreign.call(
          "XADD",
          "job:" + id + ":events",
          "*",
          "type",
          "running",
          "ts",
          "1",
          "step",
          "worker.start",
          "data",
          "{}");
      own.leasesRunOut();

      own.worker();

      assertThat(own.awaitEnd(id).get("result").toString()).isEqualTo("{\"a\":1}");
      own.awaitNothingPending();
      assertThat(own.resp().types(id)).containsExactly("queued", "running", "running", "done");
    }
  }

  @Test
  void showsRecordsThatAreNotWhole() { // C3.5, G7
    for (var hash :
        List.of(
            Map.of("status", "paused"),
            Map.of("payload", "{not json", "result", "[1", "ttl_s", "x"),
            Map.of("payload", "[".repeat(100_000), "error", "{\"a\": \"\\ud800\"}"),
            Map.of("nothing", "of ours"))) {
      var call = new ArrayList<Object>(List.of("HSET", "job:odd-1"));
      hash.forEach((name, value) -> call.addAll(List.of(name, value)));
      redis.call(call.toArray());

      var shown = platform.get("/v1/jobs/odd-1");

      assertThat(shown.statusCode()).isEqualTo(200);
      assertThat(Json.parse(shown.body()).get("job_id").stringValue()).isEqualTo("odd-1");
      redis.call("DEL", "job:odd-1");
    }
  }

  @Test
  void whatOnlyForeignWorkersAcknowledgeIsTrimmed() throws Exception { // C3.9
    try (var own = JobPlatform.redis()) {
      var resp = own.resp();
      var module = own.gateway().jobs();
      module.start();
      resp.call("XGROUP", "CREATE", "jobs:stream", "audit", "0");
      for (int i = 0; i < 5; i++) own.submit("tool", "{}");
      var read = List.of("COUNT", "10", "STREAMS", "jobs:stream", ">");
      call(resp, "XREADGROUP", List.of("GROUP", "workers", "theirs"), read);
      for (var entry : resp.stream("jobs:stream")) {
        resp.call("XACK", "jobs:stream", "workers", entry.id());
      }
      assertThat(resp.number("XLEN", "jobs:stream")).isEqualTo(5); // the other group needs them

      call(resp, "XREADGROUP", List.of("GROUP", "audit", "them"), read);
      for (var entry : resp.stream("jobs:stream")) {
        resp.call("XACK", "jobs:stream", "audit", entry.id());
      }

      await().until(() -> resp.number("XLEN", "jobs:stream") == 0);
      module.stop();
      cancelsWithTheDataGiven(own);
      resumesAfterTheParameter(own);
    }
  }

  private static void call(Resp resp, String command, List<String> first, List<String> second) {
    var all = new ArrayList<Object>(List.of(command));
    all.addAll(first);
    all.addAll(second);
    resp.call(all.toArray());
  }

  // C3.10, G7: the known gateway's reason is an object.
  private static void cancelsWithTheDataGiven(JobPlatform own) throws Exception {
    var id = own.submit("tool", "{}");

    own.post("/v1/jobs/" + id + "/cancel", "{\"reason\":{\"by\":\"ann\",\"why\":\"late\"}}");

    assertThat(own.resp().stream("job:" + id + ":events").getLast().fields())
        .containsEntry("data", "{\"by\":\"ann\",\"why\":\"late\"}");
  }

  // C3.6: the same as Last-Event-ID; who asks for a place that was trimmed hears of it.
  private static void resumesAfterTheParameter(JobPlatform own) throws Exception {
    var id = own.submit("tool", "{}");
    own.post("/v1/jobs/" + id + "/cancel", "");
    var events = own.resp().stream("job:" + id + ":events");
    var path = "/v1/jobs/" + id + "/events?after=";
    assertThat(types(own, path + events.getFirst().id())).containsExactly("hello", "canceled");
    assertThat(types(own, path + "0-0")).containsExactly("hello", "queued", "canceled");
    assertThat(own.get(path + "soon").statusCode()).isEqualTo(400);

    own.resp().call("XTRIM", "job:" + id + ":events", "MAXLEN", "1");

    assertThat(types(own, path + events.getFirst().id()))
        .containsExactly("hello", "gap", "canceled");
  }

  private static List<String> types(JobPlatform own, String path) throws Exception {
    try (var reader = new SseClient(own.gateway().port(), path, null)) {
      return reader.rest().stream().map(SseClient.Event::type).toList();
    }
  }
}
