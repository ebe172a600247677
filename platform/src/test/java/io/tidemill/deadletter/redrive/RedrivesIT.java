package io.tidemill.deadletter.redrive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemill.crawl.FailedPageStore;
import io.tidemill.deadletter.DeadLetterRef;
import io.tidemill.deadletter.DeadLetterSource;
import io.tidemill.deadletter.HandledDeadLetterStore;
import io.tidemill.deadletter.Redelivery;
import io.tidemill.deadletter.RedriveResult;
import io.tidemill.deadletter.redrive.MortalSource.Death;
import io.tidemill.deadletter.redrive.Redrive.Action;
import io.tidemill.deadletter.source.PageDeadLetters;
import io.tidemill.gateway.deadletter.DeadLetterRoutes;
import io.tidemill.gateway.deadletter.RedriveRoutes;
import io.tidemill.http.Access;
import io.tidemill.http.Identity;
import io.tidemill.http.Parameters;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.SseWriter;
import io.tidemill.job.JobsConfig;
import io.tidemill.json.Json;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.service.Unavailable;
import io.tidemill.support.JobPlatform;
import io.tidemill.support.Wiring;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Protocol.Command;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Redrive runs with a real Redis: what they take, how they end, and what becomes of them when
/// their gateway dies.
class RedrivesIT {
  private static final InstantSource CLOCK = InstantSource.system();

  private static JobPlatform platform;
  private static Redis redis;
  private static JobsConfig config;

  private final List<RedriveRunner> runners = new ArrayList<>();
  private RedriveStore runs;
  private DeadLetterCatalog letters;
  private RedriveRoutes routes;
  private DeadLetterRoutes deadLetters;

  @BeforeAll
  static void start() {
    platform = JobPlatform.redis();
    var settings = Wiring.settings(platform.server().address(), List.of());
    redis = new Redis(settings.section(RedisConfig.class));
    config = settings.section(JobsConfig.class);
  }

  @AfterAll
  static void stop() {
    redis.close();
    platform.close();
  }

  @BeforeEach
  void empty() {
    redis.call(Command.FLUSHALL);
    runs = new RedriveStore(redis, Duration.ofMillis(600), Duration.ofDays(7));
    open(Map.of());
  }

  @AfterEach
  void stopRunners() {
    runners.forEach(RedriveRunner::stop);
  }

  private void open(Map<String, DeadLetterSource> more) {
    letters = new DeadLetterCatalog(redis, config, CLOCK, more);
    routes = new RedriveRoutes(runs, letters);
    deadLetters = new DeadLetterRoutes(letters);
  }

  private void run() {
    var runner = new RedriveRunner(runs, letters);
    runners.add(runner);
    runner.start();
  }

  @Test
  void whatIsDeadNowIsRedrivenAndNothingElse() throws Exception {
    for (int i = 0; i < 5; i++) deadJob("worker " + i + " was lost", "chat");
    deadJob("no such task", "sing");

    var dry = post("{\"source\":\"jobs\",\"dryRun\":true}");
    var begun = post("{\"source\":\"jobs\",\"ratePerSecond\":1000}");
    deadJob("worker 9 was lost", "chat");
    run();
    var id = begun.path("id").asString();
    await().until(() -> show(id).path("state").asString().equals("done"));

    assertThat(dry.path("count").asInt()).isEqualTo(5);
    assertThat(dry.path("refused").get(0).path("why").asString()).contains("task must be one of");
    assertThat(begun.path("count").asInt()).isEqualTo(5);
    var run = show(id);
    assertThat(run.path("redriven").asInt()).isEqualTo(5);
    assertThat(run.path("by").asString()).isEqualTo("alice");
    assertThat(run.path("endedAt").asLong()).isPositive();
    assertThat(run.path("results")).hasSize(5);
    assertThat(run.path("results").get(0).path("detail").asString()).startsWith("job ");
    assertThat(run.path("results").get(0).path("at").asLong()).isPositive();
    assertThat(length("jobs:dead")).isEqualTo(2);
    assertThat(length("jobs:stream")).isEqualTo(5);
    assertThat(events(id)).containsExactly("done");
    assertThat(Json.parse(body(routes.list(request("GET", "")))).path("redrives")).hasSize(1);
  }

  @Test
  void takesOnlyWhatOneAsksFor() throws Exception {
    deadJob("worker 1 was lost", "chat");
    deadJob("worker 2 was lost", "chat");
    deadJob("out of memory", "chat");
    var causes = get("/api/dead/causes").path("causes");
    var cause = causes.get(0).path("cause").asString();

    assertThat(causes).hasSize(2);
    assertThat(causes.get(0).path("count").asInt()).isEqualTo(2);
    assertThat(causes.get(0).path("text").asString()).isEqualTo("worker <number> was lost");
    assertThat(count("{\"cause\":\"" + cause + "\"}")).isEqualTo(2);
    assertThat(count("{\"q\":\"MEMORY\"}")).isEqualTo(1);
    assertThat(count("{\"source\":\"all\",\"until\":1}")).isZero();
    assertThat(get("/api/dead?source=all&cause=" + cause).path("dead")).hasSize(2);
    var page = get("/api/dead?source=all&limit=2");
    var rest = get("/api/dead?source=all&limit=2&before=" + page.path("next").asString());
    assertThat(page.path("total").asInt()).isEqualTo(3);
    assertThat(page.path("dead")).hasSize(2);
    assertThat(rest.path("dead")).hasSize(1);
    assertThat(rest.has("next")).isFalse();
    assertThat(get("/api/dead?state=redriven").path("dead")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Death.class)
  void whereverAGatewayDiesEachJobGoesOnce(Death death) throws Exception { // kill -9
    for (int i = 0; i < 6; i++) deadJob("lost", "chat");
    var mortal = new MortalSource(letters.source("jobs").orElseThrow(), death, 2);

    workOff(mortal, Action.REDRIVE);

    assertThat(mortal.left()).isZero();
    assertThat(show("rd-1").path("redriven").asInt()).isEqualTo(6);
    assertThat(show("rd-1").path("results")).hasSize(6);
    assertThat(length("jobs:dead")).isZero();
    assertThat(length("jobs:stream")).isEqualTo(6);
  }

  @ParameterizedTest
  @EnumSource(Death.class)
  void whereverAGatewayDiesEachPageIsFetchedOnce(Death death) throws Exception { // kill -9
    var fetched = new CopyOnWriteArrayList<String>();
    for (int i = 0; i < 6; i++) failedPage("https://example.org/" + i);
    var mortal = new MortalSource(pages(fetched), death, 2);

    workOff(mortal, Action.REDRIVE);

    assertThat(mortal.left()).isZero();
    assertThat(show("rd-1").path("redriven").asInt()).isEqualTo(6);
    assertThat(fetched).doesNotHaveDuplicates().hasSize(6);
    assertThat(mortal.waiting()).isZero();
  }

  @ParameterizedTest
  @EnumSource(
      value = Death.class,
      names = {"BEFORE_THE_EFFECT", "AFTER_THE_EFFECT"})
  void whereverAGatewayDiesEachLetterIsDiscarded(Death death) throws Exception { // kill -9
    for (int i = 0; i < 6; i++) deadJob("lost", "sing");
    var mortal = new MortalSource(letters.source("jobs").orElseThrow(), death, 2);

    workOff(mortal, Action.DISCARD);

    assertThat(mortal.left()).isZero();
    assertThat(show("rd-1").path("action").asString()).isEqualTo("discard");
    assertThat(show("rd-1").path("discarded").asInt()).isEqualTo(6);
    assertThat(length("jobs:dead") + length("jobs:stream")).isZero();
  }

  // As many gateways as die, and one more.
  private void workOff(MortalSource mortal, Action action) {
    open(Map.of("mortal", mortal));
    var wanted =
        letters.seen("mortal").getFirst().deadLetters().stream()
            .map(letter -> new DeadLetterRef("mortal", letter.id()))
            .toList();
    runs.create("rd-1", wanted, order(action, 1000));
    for (int i = 0; i < 3; i++) run();
    await()
        .dontCatchUncaughtExceptions()
        .atMost(Duration.ofSeconds(20))
        .until(() -> show("rd-1").path("state").asString().equals("done"));
  }

  private static Redrive.Order order(Action action, int rate) {
    return new Redrive.Order(action, "", "", Json.object(), rate);
  }

  @Test
  void whatNobodyWantsIsDiscarded() throws Exception {
    for (int i = 0; i < 3; i++) deadJob("no such task", "sing");
    deadJob("lost", "chat");
    failedPage("https://example.org/a");
    failedPage("https://example.org/b");
    open(Map.of("pages", pages(new ArrayList<>())));
    var job = get("/api/dead").path("dead").get(0).path("id").asString();

    assertThat(count("{\"action\":\"discard\",\"source\":\"jobs\"}")).isEqualTo(4);
    assertThat(discard(job)).isEqualTo(200);
    assertThat(discard(job)).isEqualTo(404);
    var all =
        post("{\"all\":true,\"action\":\"discard\",\"ratePerSecond\":1000}").path("id").asString();
    run();
    await().until(() -> show(all).path("state").asString().equals("done"));

    assertThat(show(all).path("discarded").asInt()).isEqualTo(5);
    assertThat(length("jobs:dead")).isZero();
    assertThat(length("pages:failed")).isEqualTo(2);
    assertThat(get("/api/dead?source=all").path("dead")).isEmpty();
    assertThat(get("/api/dead?source=pages").path("total").asInt()).isZero();
    assertThat(get("/api/dead/causes").path("causes")).isEmpty();
    var hidden = get("/api/dead?source=all&state=discarded").path("dead");
    assertThat(hidden).hasSize(2);
    var page = hidden.get(0).path("id").asString();
    assertThat(hidden.get(0).path("discarded_at").asLong()).isPositive();
    assertThat(redrive(page, "").status()).isEqualTo(409);
    assertThat(discard(page)).isEqualTo(200);
    assertThat(count("{\"action\":\"discard\"}")).isZero();
    assertThat(
            deadLetters
                .redrive(Request.of("POST", "/x?again=true").withPathParam("id", page))
                .status())
        .isEqualTo(202);
    assertThat(get("/api/dead?state=redriven&source=pages").path("dead")).hasSize(1);
  }

  @Test
  void thereAreNeverMoreNotesThanLetters() throws Exception {
    var handled = new HandledDeadLetterStore(redis);
    for (int i = 0; i < 3; i++) failedPage("https://example.org/" + i);
    deadJob("no such task", "sing");
    open(Map.of("pages", pages(new ArrayList<>())));
    for (var dead : get("/api/dead?source=pages").path("dead")) {
      assertThat(redrive(dead.path("id").asString(), "").status()).isEqualTo(202);
    }
    var job = get("/api/dead").path("dead").get(0).path("id").asString();
    redrive(job, "{\"value\":\"{\\\"task\\\":\\\"chat\\\",\\\"payload\\\":{}}\"}");
    assertThat(handled.count("pages")).isEqualTo(3);
    assertThat(handled.count("jobs")).isEqualTo(1);

    redis.call(Command.XTRIM, "pages:failed", "MAXLEN", "=", 1);
    redis.call(Command.DEL, "jobs:dead");
    letters.tidy();

    assertThat(handled.count("pages")).isEqualTo(1);
    assertThat(handled.count("jobs")).isZero();
    assertThat(letters.source("pages").orElseThrow().waiting()).isZero();
  }

  @Test
  void whoLostARunCanNoLongerSpeakForIt() {
    runs.create("rd-1", List.of(new DeadLetterRef("jobs", "1-0")), order(Action.REDRIVE, 1));
    var first = runs.take().orElseThrow();
    await().until(() -> runs.take().isPresent());

    assertThat(runs.begin(first, 0, "")).isEqualTo(RedriveStore.Next.FENCED);
    assertThat(
            runs.record(
                first, 0, new RedriveOutcome("1-0", RedriveOutcome.Kind.REDRIVEN, ""), true))
        .isEqualTo(RedriveStore.Next.FENCED);
    assertThat(runs.results("rd-1", 0, 10)).isEmpty();
  }

  @Test
  void aCanceledRunStops() throws Exception {
    for (int i = 0; i < 3; i++) deadJob("lost", "chat");
    var id = post("{\"source\":\"jobs\",\"ratePerSecond\":1}").path("id").asString();
    run();
    await().until(() -> show(id).path("redriven").asInt() == 1);

    assertThat(routes.cancel(request("DELETE", "").withPathParam("id", id)).status())
        .isEqualTo(200);
    await().until(() -> runs.take().isEmpty());

    assertThat(show(id).path("state").asString()).isEqualTo("canceled");
    assertThat(length("jobs:dead")).isEqualTo(2);
    assertThat(routes.cancel(request("DELETE", "").withPathParam("id", id)).status())
        .isEqualTo(409);
    assertThat(routes.cancel(request("DELETE", "").withPathParam("id", "x")).status())
        .isEqualTo(404);
  }

  @Test
  void waitsForABrokerThatIsAway() throws Exception {
    deadJob("lost", "chat");
    var jobs = letters.source("jobs").orElseThrow();
    var silent = new AtomicInteger(3);
    open(
        Map.of(
            "away",
            new MortalSource(jobs, null, 0) {
              @Override
              public Optional<Redelivery> redelivery(String id) {
                if (silent.getAndDecrement() > 0)
                  throw new Unavailable("Kafka does not answer", Duration.ofSeconds(1));
                return super.redelivery(id);
              }
            }));
    var id = letters.seen("jobs").getFirst().deadLetters().getFirst().id();
    runs.create("rd-1", List.of(new DeadLetterRef("away", id)), order(Action.REDRIVE, 1000));

    run();
    await().until(() -> show("rd-1").path("waitsFor").asString("").contains("Kafka"));
    await().atMost(Duration.ofSeconds(10)).until(() -> show("rd-1").path("redriven").asInt() == 1);
  }

  @Test
  void aChangedJobIsANewOneAndTheLetterStays() throws Exception {
    deadJob("no such task", "sing");
    var id = get("/api/dead").path("dead").get(0).path("id").asString();
    var shown = Json.parse(body(deadLetters.show(request("GET", "").withPathParam("id", id))));

    var wrong = redrive(id, "{\"value\":\"{\\\"task\\\":\\\"dance\\\",\\\"payload\\\":{}}\"}");
    var right =
        redrive(id, "{\"value\":\"{\\\"task\\\":\\\"chat\\\",\\\"payload\\\":{\\\"a\\\":2}}\"}");
    var again = redrive(id, "{\"value\":\"{\\\"task\\\":\\\"chat\\\",\\\"payload\\\":{}}\"}");

    assertThat(shown.path("value").asString())
        .isEqualTo("{\"task\":\"sing\",\"payload\":{\"a\":1}}");
    assertThat(shown.path("schema").asString()).isEqualTo("/contracts/job-entry.schema.json");
    assertThat(shown.path("editable").asBoolean()).isTrue();
    assertThat(wrong.status()).isEqualTo(422);
    assertThat(Json.parse(body(wrong)).path("violations").get(0).path("path").asString())
        .isEqualTo("/task");
    assertThat(right.status()).isEqualTo(202);
    assertThat(again.status()).isEqualTo(409);
    assertThat(length("jobs:stream")).isEqualTo(1);
    assertThat(get("/api/dead?state=redriven").path("dead")).hasSize(1);
    assertThat(get("/api/dead?state=waiting").path("dead")).isEmpty();
    var sources = Json.parse(body(deadLetters.sources(request("GET", "")))).path("sources").get(0);
    assertThat(sources.path("total").asInt()).isEqualTo(1);
    assertThat(sources.path("waiting").asInt()).isZero();
  }

  @Test
  void aPageIsFetchedAgainOnce() throws Exception {
    var fetched = new CopyOnWriteArrayList<String>();
    failedPage("https://example.org/a");
    open(Map.of("pages", pages(fetched)));
    var listed = get("/api/dead?source=pages").path("dead").get(0);
    var id = listed.path("id").asString();

    runs.create("rd-1", List.of(new DeadLetterRef("pages", id)), order(Action.REDRIVE, 10));
    run();
    await().until(() -> show("rd-1").path("redriven").asInt() == 1);

    assertThat(listed.path("reason").asString()).isEqualTo("HTTP_503");
    assertThat(listed.path("key").asString()).isEqualTo("https://example.org/a");
    assertThat(redrive(id, "").status()).isEqualTo(409);
    assertThat(fetched)
        .hasSize(1)
        .first()
        .asString()
        .startsWith("a@example.org https://example.org/a redrive ");
    assertThat(show("rd-1").path("results").get(0).path("detail").asString())
        .isEqualTo("crawl c-2");
    assertThat(redrive(id, "{\"value\":\"x\"}").status()).isEqualTo(422);
  }

  @Test
  void wrongWishesAreRefused() throws Exception {
    for (var body :
        List.of(
            "",
            "[]",
            "{\"source\":\"mail\"}",
            "{\"ids\":[]}",
            "{\"ids\":\"a\"}",
            "{\"ids\":[\"1-0\",5]}",
            "{\"dryRun\":1}",
            "{\"action\":\"burn\"}",
            "{\"casue\":\"0123456789abcdef\"}",
            "{\"ratePerSecond\":0}",
            "{\"ratePerSecond\":1001}",
            "{\"cause\":\"x\"}",
            "{\"since\":\"now\"}",
            "{}",
            "{\"all\":false}",
            "{\"all\":1}",
            "{\"action\":\"discard\",\"ratePerSecond\":5}")) {
      assertThatThrownBy(() -> routes.begin(request("POST", body)))
          .as(body)
          .isInstanceOf(Parameters.Wrong.class);
    }
    assertThat(routes.begin(request("POST", "{\"all\":true}")).status()).isEqualTo(409);
    assertThat(post("{\"ids\":[\"9-9\"],\"dryRun\":true}").path("refused")).hasSize(1);
  }

  @Test
  void survivesWhateverLettersSay() throws Exception {
    var bytes = new byte[] {'a', (byte) 0xff, 0, 27, '"', '\n'};
    redis.call(
        Command.XADD,
        "jobs:dead",
        "*",
        "reason",
        bytes,
        "message",
        bytes,
        "fields",
        bytes,
        "ts",
        bytes);
    redis.call(
        Command.XADD,
        "jobs:dead",
        "*",
        "message",
        "x".repeat(1_000_000),
        "fields",
        "{\"a\":\"\\ud800\"}");

    var page = get("/api/dead?source=all");

    assertThat(page.path("dead")).hasSize(2);
    assertThat(get("/api/dead/causes").path("causes")).hasSize(2);
    for (var dead : page.path("dead")) {
      var answer =
          deadLetters.show(request("GET", "").withPathParam("id", dead.path("id").asString()));
      assertThat(Json.parse(body(answer)).isObject()).isTrue();
      assertThat(redrive(dead.path("id").asString(), "").status()).isEqualTo(422);
    }
  }

  private static PageDeadLetters pages(List<String> fetched) {
    return new PageDeadLetters(
        new FailedPageStore(redis),
        new HandledDeadLetterStore(redis),
        (owner, url, key) -> {
          var fetch = owner + " " + url + " " + key;
          // The same key again starts no second crawl.
          if (!fetched.contains(fetch)) fetched.add(fetch);
          return new RedriveResult.CrawlStarted("c-2", Json.object().put("id", "c-2"));
        },
        CLOCK);
  }

  private static void failedPage(String url) {
    var line =
        Json.object()
            .put("url", url)
            .put("outcome", "failed")
            .put("status", 503)
            .put("reason", "the host answered 503");
    redis.call(
        Command.XADD,
        "pages:failed",
        "*",
        "crawl",
        "c-1",
        "email",
        "a@example.org",
        "line",
        Json.text(line));
  }

  private int discard(String id) {
    return deadLetters.discard(request("POST", "").withPathParam("id", id)).status();
  }

  private static void deadJob(String message, String task) {
    var fields = "{\"job_id\":\"j-1\",\"task\":\"" + task + "\",\"payload\":\"{\\\"a\\\":1}\"}";
    redis.call(
        Command.XADD,
        "jobs:dead",
        "*",
        "origin",
        "jobs:stream",
        "reason",
        "ERROR",
        "message",
        message,
        "ts",
        CLOCK.millis(),
        "fields",
        fields);
  }

  private static long length(String stream) {
    return (Long) requireNonNull(redis.call(Command.XLEN, stream));
  }

  private static final Identity ALICE =
      new Identity(Optional.of("a11ce"), Optional.of("alice"), Access.OPERATOR, false);

  private static Request request(String method, String body) {
    return Request.of(method, "/x").withBody(body.getBytes(UTF_8)).by(ALICE);
  }

  private JsonNode post(String body) {
    return Json.parse(body(routes.begin(request("POST", body))));
  }

  private int count(String body) {
    var form = (ObjectNode) Json.parse(body);
    return post(Json.text(form.put("dryRun", true))).path("count").asInt();
  }

  private Response redrive(String id, String body) {
    return deadLetters.redrive(request("POST", body).withPathParam("id", id));
  }

  private JsonNode show(String id) {
    return Json.parse(body(routes.show(request("GET", "").withPathParam("id", id))));
  }

  private JsonNode get(String target) {
    var request = Request.of("GET", target);
    letters.changed();
    return Json.parse(
        body(target.contains("/causes") ? deadLetters.causes(request) : deadLetters.list(request)));
  }

  private List<String> events(String id) throws Exception {
    var answer = (Response.Events) routes.follow(request("GET", "").withPathParam("id", id));
    var out = new ByteArrayOutputStream();
    answer.body().writeTo(new SseWriter(out));
    var types = new ArrayList<String>();
    for (var text : out.toString(UTF_8).lines().toList()) {
      if (text.startsWith("event: ")) types.add(text.substring("event: ".length()));
    }
    return types;
  }

  private static byte[] body(Response response) {
    return ((Response.Body) response).body();
  }
}
