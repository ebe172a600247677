package io.tidemill.dashboard;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.audit.AuditLog;
import io.tidemill.http.HttpConfig;
import io.tidemill.http.ProblemForm;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.http.access.ApiConfig;
import io.tidemill.http.access.ApiKeys;
import io.tidemill.http.server.HttpServer;
import io.tidemill.json.Json;
import io.tidemill.observe.AuditEntry;
import io.tidemill.observe.Metrics;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.Traces;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.support.FaultProxy;
import io.tidemill.support.JobPlatform;
import io.tidemill.support.Wiring;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/// The audit trail in a real Redis, and what admins see of it.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AuditIT {
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-01-04T01:09:27.123Z"));
  private final Metrics metrics = new Metrics();
  private final HttpClient client = HttpClient.newHttpClient();
  private JobPlatform platform;
  private Redis redis;

  @BeforeAll
  void start() {
    platform = JobPlatform.redis();
    redis = redis(platform.server().port());
  }

  @AfterAll
  void stop() {
    redis.close();
    platform.close();
    client.close();
    metrics.close();
  }

  @AfterEach
  void forget() {
    platform.resp().call("DEL", "audit");
  }

  @Test
  void adminsSeeWhoChangedWhat() throws Exception {
    var log = log(redis, 100);
    var settings =
        Wiring.settings(
            "redis://127.0.0.1:1", List.of("api.keys=operator:bob:two,admin:alice:three"));
    var things = Route.post("/things/{id}", _ -> Response.noContent());
    var http =
        new HttpServer(
            settings.section(HttpConfig.class),
            new ApiKeys(settings.section(ApiConfig.class), InstantSource.system()),
            log::append,
            List.<Routes>of(() -> List.of(things), new AuditRoutes(log)),
            ProblemForm.STANDARD,
            metrics,
            new Traces(settings.section(ObserveConfig.class)));
    log.start();
    http.start();
    try {
      assertThat(send(http, "POST", "/things/7?x=%0a", "two").statusCode()).isEqualTo(204);
      assertThat(send(http, "POST", "/things/8", "wrong").statusCode()).isEqualTo(401);
      assertThat(send(http, "GET", "/api/audit", "two").statusCode()).isEqualTo(403);
      await().until(() -> log.newest("", "", "", 10).entries().size() == 2);

      var entries = Json.parse(send(http, "GET", "/api/audit", "three").body()).get("audit");
      assertThat(entries.get(0).get("detail").stringValue()).isEqualTo("this API key is not known");
      assertThat(entries.get(0).get("role").isNull()).isTrue();
      var change = entries.get(1);
      assertThat(change.get("trace").stringValue()).hasSize(32);
      assertThat(change.get("id").stringValue()).matches("\\d+-\\d+");
      assertThat(Json.text(change))
          .contains(
              "\"at\":"
                  + now.get().toEpochMilli()
                  + ",\"who\":\"bob\",\"role\":\"operator\","
                  + "\"address\":\"127.0.0.1\",\"method\":\"POST\",\"route\":\"/things/{id}\","
                  + "\"path\":\"/things/7?x=%0a\",\"status\":204,\"detail\":\"\"");
      assertThat(send(http, "GET", "/api/audit?before=x", "three").statusCode()).isEqualTo(422);
      assertThat(send(http, "GET", "/api/audit?who=nobody", "three").body())
          .isEqualTo("{\"audit\":[]}");
    } finally {
      http.stop();
      log.stop();
    }
  }

  @Test
  void theNewestAreKeptAndFoundPageByPage() {
    var log = log(redis, 1_200);
    log.start();
    for (int i = 0; i < 1_500; i++) log.append(entry(i % 100 == 0 ? "alice" : "bob", i));
    log.stop(); // what waits is written

    var first = log.newest("", "", "", 700);
    var second = log.newest(requireNonNull(first.next()), "", "", 700);
    assertThat(first.entries()).hasSize(700);
    assertThat(second.entries()).hasSize(500);
    assertThat(second.next()).isNull();
    assertThat(first.entries().getFirst().entry().path()).isEqualTo("/things/1499");
    assertThat(second.entries().getFirst().entry().path()).isEqualTo("/things/799");
    assertThat(second.entries().getLast().entry().path()).isEqualTo("/things/300");

    var alice = log.newest("", "alice", "", 5);
    assertThat(alice.entries()).hasSize(5).allMatch(kept -> kept.entry().who().equals("alice"));
    assertThat(log.newest(requireNonNull(alice.next()), "alice", "", 50).entries()).hasSize(7);
    assertThat(log.newest("", "", "post /THINGS", 10).entries()).hasSize(10);
    assertThat(log.newest("", "", "DELETE", 10).entries()).isEmpty();
  }

  @Test
  void whoMayChangeNothingDoesNotWashItAway() {
    var log = log(redis, 1_000);
    log.start();
    var refused = new AuditEntry("anonymous", "", "::1", "POST", "/x", "/x", 401, "", "");
    // Signing out needs no key.
    var left = new AuditEntry("anonymous", "", "::1", "DELETE", "/x", "/x", 204, "", "");
    for (int i = 0; i < 500; i++) log.append(i % 2 == 0 ? refused : left);
    var low = new AuditEntry("kim", "viewer", "::1", "POST", "/x", "/x", 403, "", "");
    for (int i = 0; i < 100; i++) log.append(low);
    now.updateAndGet(instant -> instant.plusSeconds(60));
    for (int i = 0; i < 3; i++) log.append(refused);
    log.append(entry("bob", 1));
    log.stop();

    assertThat(log.newest("", "anonymous", "", 1_000).entries()).hasSize(63);
    assertThat(log.newest("", "kim", "", 1_000).entries()).hasSize(60);
    assertThat(log.newest("", "bob", "", 10).entries()).hasSize(1);
    assertThat(metrics.registry().get("audit.skipped").counter().count()).isEqualTo(480);
  }

  @Test
  void waitsForARedisThatIsAwayAndKeepsNobodyWaiting() throws Exception {
    try (var proxy = new FaultProxy(platform.server().port());
        var away = redis(proxy.port());
        var meters = new Metrics()) {
      var log = new AuditLog(away, 100_000, meters.registry(), now::get);
      proxy.breakWith((wire, _, _) -> {
        wire.reset();
        return false;
      });
      log.start();
      for (int i = 0; i < 6_000; i++) log.append(entry("bob", i));
      var lost = meters.registry().get("audit.lost").counter();
      assertThat(lost.count()).isBetween(800.0, 1_000.0); // a batch may be under way

      proxy.breakWith(FaultProxy.NONE);
      await().until(() -> meters.registry().get("audit.waiting").gauge().value() == 0);
      log.stop();
      assertThat(log.newest("", "", "", 10_000).entries()).hasSize(6_000 - (int) lost.count());
    }
  }

  @Test
  void aLostReplyWritesNothingTwice() throws Exception {
    var lost = new AtomicInteger();
    var asked = new AtomicBoolean();
    try (var proxy = new FaultProxy(platform.server().port());
        var through = redis(proxy.port())) {
      var log = log(through, 100);
      log.start();
      log.append(entry("bob", 0)); // Redis knows the script from now on
      await().until(() -> log.newest("", "", "", 10).entries().size() == 1);
      proxy.breakWith((wire, fromClient, piece) -> {
        if (fromClient && new String(piece, StandardCharsets.UTF_8).contains("audit:batch:")) {
          asked.set(true);
        }
        if (fromClient || !asked.get() || lost.get() >= 2) return true;
        lost.incrementAndGet();
        asked.set(false);
        wire.reset();
        return false;
      });

      log.append(entry("bob", 1));
      log.stop();

      assertThat(lost).hasValue(2);
      assertThat(log.newest("", "", "", 10).entries())
          .extracting(kept -> kept.entry().path())
          .containsExactly("/things/1", "/things/0");
    }
  }

  private AuditLog log(Redis to, int keep) {
    return new AuditLog(to, keep, metrics.registry(), now::get);
  }

  private static AuditEntry entry(String who, int number) {
    return new AuditEntry(
        who, "operator", "::1", "POST", "/things/{id}", "/things/" + number, 204, "", "");
  }

  private static Redis redis(int port) {
    var settings = Wiring.settings("redis://127.0.0.1:" + port, List.of());
    return new Redis(settings.section(RedisConfig.class));
  }

  private HttpResponse<String> send(HttpServer http, String method, String path, String key)
      throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(http.url() + path))
            .method(method, BodyPublishers.noBody())
            .header("X-Api-Key", key)
            .build();
    return client.send(request, BodyHandlers.ofString());
  }
}
