package io.tidemill.job.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemill.contract.job.JobSubmission;
import io.tidemill.contract.job.JobTask;
import io.tidemill.job.JobChangeFeed;
import io.tidemill.job.JobStore;
import io.tidemill.job.JobsConfig;
import io.tidemill.json.Json;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.support.JobPlatform;
import io.tidemill.support.Resp;
import io.tidemill.support.SseClient;
import io.tidemill.support.Wiring;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tenants take turns at the queue (C3.3). The worker is somebody else's: it reads the stream and
/// knows nothing of lines.
class FairShareIT {
  private static final String[] SETTINGS = {
    "jobs.window=4",
    "jobs.max-waiting=30",
    "jobs.weights=gold=3",
    "jobs.limits=chat=2",
    "jobs.limits-per-key=embed=1"
  };

  private static JobPlatform platform;
  private static Resp redis;
  private final Map<String, String> names = new HashMap<>();

  @BeforeAll
  static void start() {
    platform = JobPlatform.redis(SETTINGS);
    redis = platform.resp();
    platform.gateway();
  }

  @AfterAll
  static void stop() {
    platform.close();
  }

  @BeforeEach
  void group() {
    redis.call("XGROUP", "CREATE", "jobs:stream", "workers", "0", "MKSTREAM");
  }

  @AfterEach
  void empty() {
    redis.call("FLUSHALL");
  }

  private String submit(String tenant, String task, String name) {
    var body = "{\"task\":\"" + task + "\",\"ttl_s\":600}";
    var id = platform.submitBody(body, "X-Tenant", tenant);
    names.put(id, name);
    return id;
  }

  private void submit(String tenant, int count) {
    for (int i = 1; i <= count; i++) submit(tenant, "tool", tenant + i);
  }

  /// Reads what the queue holds now, as anybody would.
  private List<Resp.Entry> read() {
    var reply = redis.call("XREADGROUP", "GROUP", "workers", "py", "STREAMS", "jobs:stream", ">");
    return reply == null
        ? List.of()
        : Resp.list(Resp.list(Resp.list(reply).getFirst()).get(1)).stream()
            .map(Resp::entry)
            .toList();
  }

  /// Does a job as somebody else's worker does: it tells nobody but the hash.
  private void finish(Resp.Entry entry) {
    redis.call("HSET", "job:" + entry.fields().get("job_id"), "status", "done");
    redis.call("XACK", "jobs:stream", "workers", entry.id());
  }

  /// Works until `count` jobs came, and returns their names in the order of the queue.
  private List<String> work(int count) {
    var seen = new ArrayList<String>();
    await()
        .until(() -> {
          for (var entry : read()) {
            seen.add(names.get(entry.fields().get("job_id")));
            finish(entry);
          }
          return seen.size() >= count;
        });
    return seen;
  }

  @Test
  void tenantsTakeTurnsByTheirWeights() {
    submit("free", 10); // four go to the queue at once
    submit("gold", 7);
    submit("new", 1);

    assertThat(redis.number("XLEN", "jobs:stream")).isEqualTo(4);
    assertThat(work(18))
        .containsExactly(
            "free1", "free2", "free3", "free4", // the window
            "free5", "gold1", "gold2", "gold3", "new1", //
            "free6", "gold4", "gold5", "gold6", "free7", "gold7", "free8", "free9", "free10");
    assertThat(Resp.list(redis.call("KEYS", "jobs:stream:*")))
        .containsExactlyInAnyOrder(
            "jobs:stream:deadlines",
            "jobs:stream:recent",
            "jobs:stream:changes",
            "jobs:stream:changed"); // nothing is left of lines and turns
  }

  @Test
  void oneTenantKeepsItsOrderAcrossTasks() {
    var expected = new ArrayList<String>();
    for (var task : List.of("tool", "rag", "plan", "code", "tool", "rag", "tool", "plan", "tool")) {
      expected.add(task + expected.size());
      submit("default", task, expected.getLast());
    }

    assertThat(work(9)).isEqualTo(expected);
  }

  @Test
  void whatComesOutOfALineIsExactlyTheContracts() { // C3.1
    for (int i = 0; i < 6; i++) {
      platform.submitBody(
          "{\"task\":\"rag\",\"payload\":{\"n\":" + i + "}}", "Idempotency-Key", "k" + i);
    }
    var entries = new ArrayList<Resp.Entry>();
    await()
        .until(() -> {
          for (var entry : read()) {
            entries.add(entry);
            finish(entry);
          }
          return entries.size() == 6;
        });

    for (int i = 0; i < 6; i++) {
      var fields = entries.get(i).fields();
      assertThat(fields)
          .containsOnlyKeys("job_id", "task", "payload", "traceparent", "idempotency_key")
          .containsEntry("task", "rag")
          .containsEntry("payload", "{\"n\":" + i + "}")
          .containsEntry("idempotency_key", "k" + i);
      assertThat(redis.hash("job:" + fields.get("job_id"))).hasSize(9);
    }
  }

  @Test
  void aFullQueueCountsThoseInLine() { // C3.3
    platform.submitBody("{\"task\":\"tool\"}", "Idempotency-Key", "known");
    for (int i = 1; i < 29; i++) submit("t" + i % 3, "tool", "j" + i);
    var chat = submit("t1", "chat", "last");
    var keys = redis.number("DBSIZE");

    var refused = platform.post("/v1/jobs", "{\"task\":\"tool\"}");
    var repeat = platform.post("/v1/jobs", "{\"task\":\"tool\"}", "Idempotency-Key", "known");

    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(Json.parse(refused.body()).get("waiting").intValue()).isEqualTo(30);
    assertThat(repeat.statusCode()).isEqualTo(202);
    assertThat(redis.number("DBSIZE")).isEqualTo(keys);
    assertThat(Json.parse(platform.get("/api/status").body()).at("/jobs/waiting").intValue())
        .isEqualTo(30);
    await().until(() -> platform.gateway().gauge("jobs.waiting", "in", "line") == 26);

    platform.post("/v1/jobs/" + chat + "/cancel", "");
    assertThat(platform.post("/v1/jobs", "{\"task\":\"tool\"}").statusCode()).isEqualTo(202);
    assertThat(platform.post("/v1/jobs", "{\"task\":\"tool\"}").statusCode()).isEqualTo(429);
  }

  @Test
  void aJobThatIsCanceledInLineNeverComesToTheQueue() { // C3.10
    submit("a", 4);
    var gone = submit("b", "tool", "b1");
    submit("b", "tool", "b2");

    assertThat(platform.post("/v1/jobs/" + gone + "/cancel", "").statusCode()).isEqualTo(200);

    assertThat(redis.types(gone)).containsExactly("queued", "canceled");
    assertThat(work(5)).containsExactly("a1", "a2", "a3", "a4", "b2");
    assertThat(redis.number("EXISTS", "jobs:stream:turns", "jobs:stream:waiting")).isZero();
  }

  @Test
  void aLimitedTaskHoldsUpNothingElse() {
    for (int i = 1; i <= 4; i++) submit("a", "chat", "chat" + i);
    submit("a", "tool", "tool1");
    submit("b", "embed", "b-embed1");
    submit("b", "embed", "b-embed2");
    submit("c", "embed", "c-embed1");

    var first = read();
    assertThat(first).extracting(this::name).containsExactly("chat1", "chat2", "tool1", "b-embed1");
    var second = new ArrayList<Resp.Entry>();
    await().until(() -> second.addAll(read()));
    assertThat(second).extracting(this::name).containsExactly("c-embed1");

    finish(first.get(3)); // a worker that tells us nothing: its end is seen in the hash
    var third = new ArrayList<Resp.Entry>();
    await().until(() -> third.addAll(read()));
    assertThat(third).extracting(this::name).containsExactly("b-embed2");

    redis.call("DEL", "job:" + first.get(0).fields().get("job_id")); // gone is ended, too
    await().until(() -> third.addAll(read()));
    assertThat(third).extracting(this::name).containsExactly("b-embed2", "chat3");
    assertThat(redis.hash("jobs:stream:out:chat")).hasSize(2);
  }

  private String name(Resp.Entry entry) {
    return names.get(entry.fields().get("job_id"));
  }

  @Test
  void aJobThatIsNotStartedInTimeExpiresOnceInLineOrInTheQueue() throws Exception { // F21
    submit("a", 4);
    var inLine = submit("a", "tool", "a5");
    var inQueue = redis.stream("jobs:stream").getFirst().fields().get("job_id");

    for (var id : List.of(inLine, inQueue)) {
      try (var reader =
          new SseClient(platform.gateway().port(), "/v1/jobs/" + id + "/events", null)) {
        assertThat(reader.next().type()).isEqualTo("hello");
        halfItsLifePasses(id);
        assertThat(redis.number("TTL", "job:" + id)).isGreaterThan(600);
        assertThat(redis.types(id)).containsExactly("queued");
        redis.call("ZADD", "jobs:stream:deadlines", "1", "!" + id);

        assertThat(reader.rest())
            .extracting(SseClient.Event::type)
            .containsExactly("queued", "error");
      }
      var job = platform.job(id);
      assertThat(job.get("status").stringValue()).isEqualTo("error");
      assertThat(job.at("/error/code").stringValue()).isEqualTo("EXPIRED");
      assertThat(job.at("/error/message").stringValue()).contains("ttl_s of 600 s");
      assertThat(redis.hash("job:" + id)).hasSize(9);
      assertThat(redis.number("TTL", "job:" + id)).isBetween(500L, 600L);
    }
    assertThat(redis.number("HLEN", "jobs:stream:waiting")).isZero();

    // Our worker acknowledges what has ended, and starts the others.
    var worker = platform.worker();
    platform.awaitNothingPending();
    await().until(() -> worker.deliveries("skipped") == 1); // counted after Redis knows
    platform.stop(worker);
    for (var id : List.of(inLine, inQueue)) assertThat(redis.ends(id)).isEqualTo(1);
    assertThat(redis.number("EXISTS", "jobs:stream:deadlines")).isZero();
  }

  private static void halfItsLifePasses(String id) {
    assertThat(redis.number("ZADD", "jobs:stream:deadlines", "CH", "1", id)).isEqualTo(1);
    await().until(() -> redis.call("ZSCORE", "jobs:stream:deadlines", "!" + id) != null);
  }

  @Test
  void changesThatTheQueueDoesNotShowAreInTheFeed() {
    submit("a", 4);
    assertThat(redis.stream("jobs:stream:changes"))
        .isEmpty(); // whoever follows the queue sees them

    var canceled = submit("a", "tool", "a5");
    var expired = submit("a", "tool", "a6");
    assertThat(changes()).containsExactly(canceled, expired);

    platform.post("/v1/jobs/" + canceled + "/cancel", "");
    redis.call("ZADD", "jobs:stream:deadlines", "1", "!" + expired);
    platform.awaitStatus(expired, "error");
    assertThat(changes()).containsExactly(canceled, expired, canceled, expired);

    var dead =
        redis.call(
            "XADD",
            "jobs:dead",
            "*",
            "reason",
            "POISON",
            "message",
            "it died",
            "fields",
            "{\"job_id\":\"x\",\"task\":\"tool\",\"payload\":\"{}\"}");
    var answer = platform.post("/api/dead/" + dead + "/redrive", "");
    var again = Json.parse(answer.body()).path("job_id").asString(answer.body());
    assertThat(changes()).containsExactly(canceled, expired, canceled, expired, again);
    assertThat(redis.call("GET", "jobs:stream:changed")).isEqualTo("5");
    assertThat(redis.stream("jobs:stream:changes").getLast().fields()).containsEntry("upto", "5");
  }

  private static List<String> changes() {
    return redis.stream("jobs:stream:changes").stream()
        .flatMap(entry -> Stream.of(entry.fields().get("ids").split(" ")))
        .toList();
  }

  @Test
  void aReaderThatIsTooFarBehindContinuesWithTheLatestAndCountsTheSkipped() {
    var settings = Wiring.settings(platform.server().address(), List.of(SETTINGS));
    try (var client = new Redis(settings.section(RedisConfig.class))) {
      var jobs = new JobChangeFeed(client, settings.section(JobsConfig.class));
      redis.call("XADD", "jobs:stream:changes", "*", "upto", "2", "ids", "one two");
      var first = jobs.after(JobChangeFeed.Position.START);
      assertThat(first.ids()).containsExactlyInAnyOrder("one", "two");
      assertThat(jobs.after(JobChangeFeed.Position.of(first.next().marks())).ids()).isEmpty();

      // Some entries are gone before they were read: it knows how many.
      redis.call("XADD", "jobs:stream:changes", "*", "upto", "12", "ids", "eleven twelve");
      var second = jobs.after(first.next());
      assertThat(second.ids()).containsExactlyInAnyOrder("eleven", "twelve");
      assertThat(second.skipped()).isEqualTo(8);
      assertThat(second.behind()).isZero();

      for (int i = 1; i <= 1_000; i++) {
        redis.call("XADD", "jobs:stream:changes", "*", "upto", 12 + 30 * i, "ids", "job" + i);
      }
      var third = jobs.after(second.next());
      assertThat(third.skipped()).isEqualTo(12 + 30 * 401 - 12);
      var fourth = jobs.after(third.next());
      assertThat(fourth.ids()).hasSize(599).contains("job402").doesNotContain("job401");
    }
  }

  @Test
  void aJobThatVanishedLeavesItsLine() { // C3.3
    submit("a", 4);
    var id = submit("a", "tool", "a5");
    assertThat(redis.number("HLEN", "jobs:stream:waiting")).isEqualTo(1);

    redis.call("DEL", "job:" + id);
    redis.call("ZADD", "jobs:stream:deadlines", "1", id);

    await().until(() -> redis.number("EXISTS", "jobs:stream:waiting", "jobs:stream:turns") == 0);
  }

  @Test
  void aKeyLivesAsLongAsItsJobInLine() { // C3.4
    submit("a", 4);
    var body = "{\"task\":\"tool\",\"ttl_s\":600}";
    var id = platform.submitBody(body, "Idempotency-Key", "kept");
    redis.call("EXPIRE", "idempotency:kept", "100");

    halfItsLifePasses(id);
    assertThat(redis.number("TTL", "idempotency:kept")).isGreaterThan(600);

    redis.call("EXPIRE", "idempotency:kept", "100");
    redis.call("ZADD", "jobs:stream:deadlines", "1", "!" + id);
    platform.awaitStatus(id, "error");
    assertThat(redis.number("TTL", "idempotency:kept")).isBetween(500L, 600L);
  }

  @Test
  void aJobThatHasStartedDoesNotExpire() {
    submit("a", 1);
    var entry = read().getFirst();
    var id = entry.fields().get("job_id");
    redis.call("HSET", "job:" + id, "status", "running");
    redis.call("ZADD", "jobs:stream:deadlines", "1", id, "1", "!" + id);

    await().until(() -> redis.number("EXISTS", "jobs:stream:deadlines") == 0);

    assertThat(redis.types(id)).containsExactly("queued");
    assertThat(redis.hash("job:" + id)).containsEntry("status", "running");
  }

  @Test
  void runningAScriptAgainChangesNothing() { // F28: the answer was lost
    var settings = Wiring.settings(platform.server().address(), List.of(SETTINGS));
    try (var client = new Redis(settings.section(RedisConfig.class))) {
      var store = new JobStore(client, settings.section(JobsConfig.class), InstantSource.system());
      submit("a", 6);
      var job = new JobSubmission(JobTask.TOOL, "{}", 600);

      for (int i = 0; i < 3; i++) {
        store.submit("again-1", job, "b", null, null);
        for (int k = 0; k < 3; k++) store.backlog().expireAndRelease();
      }

      names.put("again-1", "again");
      assertThat(redis.number("HLEN", "jobs:stream:waiting")).isEqualTo(3);
      assertThat(work(7)).containsExactly("a1", "a2", "a3", "a4", "a5", "again", "a6");
    }
  }

  @Test
  void manyBlockedTenantsDoNotBlockOthers() {
    var own = new ArrayList<>(List.of("jobs.stream=many", "jobs.max-waiting=200"));
    own.addAll(List.of("jobs.limits=chat=2", "jobs.window=4"));
    var settings = Wiring.settings(platform.server().address(), own);
    try (var client = new Redis(settings.section(RedisConfig.class))) {
      var store = new JobStore(client, settings.section(JobsConfig.class), InstantSource.system());
      var chat = new JobSubmission(JobTask.CHAT, "{}", 600);
      for (int i = 0; i < 120; i++) store.submit("chat-" + i, chat, "t" + i, null, null);
      assertThat(redis.number("XLEN", "many")).isEqualTo(2);

      // One call looks at some of them only, and the next goes on behind those.
      for (int i = 0; i < 3; i++) {
        store.submit("tool-" + i, new JobSubmission(JobTask.TOOL, "{}", 600), "z", null, null);
      }

      assertThat(redis.stream("many"))
          .extracting(entry -> entry.fields().get("job_id"))
          .startsWith("chat-0", "chat-1", "tool-0")
          .doesNotContain("chat-2");
      assertThat(redis.number("HLEN", "many:out:chat")).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jobs.window=0",
        "jobs.weights=gold",
        "jobs.weights=gold=0",
        "jobs.limits=sing=2",
        "jobs.limits-per-key=chat=-1",
        "worker.tasks=",
        "worker.tasks=chat,sing"
      })
  void settingsThatMakeNoSenseAreNamed(String setting) {
    assertThatThrownBy(() -> Wiring.settings("redis://127.0.0.1:1", List.of(setting)))
        .hasMessageStartingWith(setting.substring(0, setting.indexOf('=')))
        .hasMessageContaining("expected");
  }

  @Test
  void anotherTenantsNameIsCheckedAndAKeyIsItsOwnTenant() {
    for (var bad : List.of("", "a b", "a:b", "x".repeat(65), "caf\u00e9")) {
      var answer = platform.post("/v1/jobs", "{\"task\":\"tool\"}", "X-Tenant", bad);
      assertThat(answer.statusCode()).as(bad).isEqualTo(400);
      assertThat(answer.body()).contains("X-Tenant must have 1 to 64 letters");
    }
    assertThat(redis.number("XLEN", "jobs:stream")).isZero();
    try (var keyed = JobPlatform.redis("api.keys=secret-1,secret-2", "jobs.window=1")) {
      for (var key : List.of("secret-1", "secret-1", "secret-2")) {
        keyed.submitBody("{\"task\":\"tool\"}", "X-Api-Key", key, "X-Tenant", "made-up");
      }

      assertThat(Resp.list(keyed.resp().call("LRANGE", "jobs:stream:turns", "0", "-1")))
          .containsExactly("key:f7e7c36e458e", "key:f4b6bb654812");
      assertThat(keyed.resp().call("KEYS", "*").toString()).doesNotContain("secret", "made-up");
    }
  }
}
