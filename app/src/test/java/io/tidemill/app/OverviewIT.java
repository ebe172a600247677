package io.tidemill.app;

import static io.tidemill.app.Product.address;
import static io.tidemill.app.Product.awaitStatus;
import static io.tidemill.app.Product.get;
import static io.tidemill.app.Product.post;
import static io.tidemill.app.Product.submit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.json.Json;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Protocol.Command;
import tools.jackson.databind.JsonNode;

/// What the overview says of a platform whose roles come and go: the gateway alone at first, with
/// all servers.
class OverviewIT {
  private static final String ECHO = "{\"task\":\"tool\",\"payload\":{\"name\":\"echo\"}}";

  @TempDir static Path folder;
  private static Product product;
  private static String http;
  private static Map<String, String> env;

  @BeforeAll
  static void start() {
    var data = folder.resolve("data");
    product = Product.up(data, "--only", "gateway");
    http = address(data, "http");
    env =
        Map.of(
            "TIDEMILL_REDIS_URL", address(data, "redis"),
            "TIDEMILL_KAFKA_BOOTSTRAP", address(data, "kafka"),
            "TIDEMILL_AMQP_URL", address(data, "amqp"),
            "TIDEMILL_S3_ENDPOINT", address(data, "s3"));
  }

  @AfterAll
  static void stop() {
    product.close();
  }

  private static Product worker(String name) {
    var worker = Product.start(folder.resolve(name + ".log"), env, List.of("run", "worker"));
    worker.awaitLog("worker ready");
    return worker;
  }

  private static JsonNode overview() {
    return Json.parse(get(http + "/api/overview").body());
  }

  private static JsonNode role(JsonNode overview, String name) {
    return overview
        .path("roles")
        .valueStream()
        .filter(role -> role.path("name").asString().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static JsonNode channel(JsonNode overview, String name) {
    return overview
        .path("contracts")
        .valueStream()
        .filter(row -> row.path("channel").asString().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static JsonNode awaitOverview(Predicate<JsonNode> wanted) {
    var found = new AtomicReference<JsonNode>();
    await()
        .atMost(Product.PATIENCE)
        .until(() -> {
          found.set(overview());
          return wanted.test(found.get());
        });
    return found.get();
  }

  private static String why(JsonNode overview, String channel) {
    return channel(overview, channel).path("why").path(0).path("text").asString("");
  }

  @Test
  void saysWhatWaitsForRolesThatNobodyStarted() {
    assertThat(
            post(http + "/api/crawls", "{\"url\":\"http://127.0.0.1:1/\",\"email\":\"a@b.org\"}")
                .statusCode())
        .isEqualTo(202);

    var seen = awaitOverview(it -> channel(it, "crawl-requests").path("depth").asLong() == 1);

    assertThat(why(seen, "crawl-requests"))
        .isEqualTo(
            "1 crawl request waits: no process runs the crawler role. Start one: ./tidemill run crawler");
    assertThat(channel(seen, "crawl-requests").path("oldestMs").asLong(-1)).isNotNegative();
    assertThat(seen.path("verdict").path("level").asString()).isEqualTo("down");
    assertThat(role(seen, "gateway").path("status").asString()).isEqualTo("up");
    assertThat(role(seen, "crawler").path("status").asString()).isEqualTo("down");
    assertThat(seen.path("contracts").valueStream().map(row -> row.path("channel").asString()))
        .containsExactly(
            "crawl-requests",
            "crawl-responses",
            "workflows",
            "tasks",
            "jobs:stream",
            "crawler_queue",
            "analytics.data.collected");
    assertThat(seen.path("servers").valueStream())
        .filteredOn(server ->
            List.of("kafka", "redis", "amqp", "s3").contains(server.path("name").asString()))
        .hasSize(4)
        .allMatch(server -> server.path("status").asString().equals("up"));
  }

  @Test
  void countsDeadLettersAsTheirDeskDoes() {
    try (var redis = redis()) {
      for (var url : List.of("http://a.test/", "http://b.test/")) {
        var line = Json.text(Json.object().put("url", url).put("reason", "no answer"));
        redis.call(
            Command.XADD, "pages:failed", "*", "crawl", "x", "email", "a@b.org", "line", line);
      }
    }

    var seen = awaitOverview(it -> it.path("dead").asLong(0) > 0);

    var sources = Json.parse(get(http + "/api/dead/sources").body()).path("sources");
    var all = sources.valueStream().mapToLong(source -> source.path("waiting").asLong()).sum();
    assertThat(seen.path("dead").asLong()).isEqualTo(all).isEqualTo(2);
  }

  private static Redis redis() {
    var address = address(folder.resolve("data"), "redis");
    return new Redis(new RedisConfig(address, 1, Duration.ofSeconds(5)));
  }

  private static JsonNode server(JsonNode overview, String name) {
    return overview
        .path("servers")
        .valueStream()
        .filter(server -> server.path("name").asString().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void answersInTimeAndNamesRedisWhileItHangs() throws Exception {
    awaitOverview(it -> role(it, "gateway").path("status").asString().equals("up"));
    var redis = redisPid();
    signal("STOP", redis);
    try {
      var slowest = new AtomicLong();
      var seen =
          awaitOverview(it -> {
            var began = System.nanoTime();
            assertThat(get(http + "/health/live").statusCode()).isEqualTo(200);
            overview();
            slowest.accumulateAndGet(System.nanoTime() - began, Math::max);
            return server(it, "redis").path("status").asString().equals("down");
          });

      assertThat(Duration.ofNanos(slowest.get())).isLessThan(Duration.ofSeconds(4));
      assertThat(seen.path("verdict").path("text").asString())
          .startsWith("Redis at ")
          .contains("no answer for", "jobs are refused");
      assertThat(seen.path("verdict").path("level").asString()).isEqualTo("down");
      for (var unknown : List.of("depth", "running", "consumers", "dead")) {
        assertThat(channel(seen, "jobs:stream").path(unknown).isNull()).as(unknown).isTrue();
      }
      assertThat(role(seen, "gateway").path("text").asString()).contains("nobody knows who runs");
      var ready = get(http + "/health/ready");
      assertThat(ready.statusCode()).isEqualTo(503);
      assertThat(Json.parse(ready.body()).path("checks").path("redis").path("status").asString())
          .isEqualTo("down");
    } finally {
      signal("CONT", redis);
    }

    var after = awaitOverview(it -> server(it, "redis").path("status").asString().equals("up"));
    assertThat(role(after, "gateway").path("processes").get(0).path("gone").asBoolean()).isFalse();
    await().atMost(Product.PATIENCE).until(() -> get(http + "/health/ready").statusCode() == 200);
  }

  // It says itself who it is: what a process is called is up to whoever packaged it.
  private static long redisPid() {
    try (var redis = redis()) {
      return Redis.text(redis.call(Command.INFO, "server"))
          .lines()
          .filter(line -> line.startsWith("process_id:"))
          .map(line -> Long.parseLong(line.substring("process_id:".length())))
          .findFirst()
          .orElseThrow();
    }
  }

  private static void signal(String name, long pid) throws Exception {
    var kill = new ProcessBuilder("kill", "-" + name, String.valueOf(pid)).inheritIO().start();
    assertThat(kill.waitFor()).isZero();
  }

  @Test
  void tellsWhoeverWatchesThatAWorkerWasKilled() throws Exception {
    try (var client = HttpClient.newHttpClient();
        var worker = worker("killed")) {
      var request = HttpRequest.newBuilder(URI.create(http + "/api/overview/events")).build();
      var latest = new AtomicReference<JsonNode>(Json.object());
      var watching = client.send(request, BodyHandlers.ofLines()).body();
      var reader =
          Thread.startVirtualThread(() -> {
            try {
              watching
                  .filter(line -> line.startsWith("data: "))
                  .forEach(line -> latest.set(Json.parse(line.substring(6))));
            } catch (UncheckedIOException closed) {
              // The test is over.
            }
          });
      await()
          .atMost(Product.PATIENCE)
          .until(() ->
              latest.get().has("roles")
                  && role(latest.get(), "worker").path("status").asString().equals("up"));
      var process = role(latest.get(), "worker").path("processes").get(0);
      assertThat(process.path("pid").asLong()).isEqualTo(worker.pid());
      assertThat(process.path("checks").path("redis").path("status").asString()).isEqualTo("up");

      var job = submit(http, ECHO);
      awaitStatus(job, "done");
      worker.kill();
      submit(http, ECHO);

      await()
          .atMost(Product.PATIENCE)
          .until(() -> why(latest.get(), "jobs:stream").contains("was last heard of"));
      assertThat(why(latest.get(), "jobs:stream"))
          .startsWith("1 job waits: ")
          .contains(":" + worker.pid() + ", which ran the worker role")
          .endsWith("Start it again: ./tidemill run worker");
      assertThat(role(latest.get(), "worker").path("status").asString()).isEqualTo("down");
      assertThat(role(latest.get(), "worker").path("processes").get(0).path("gone").asBoolean())
          .isTrue();
      assertThat(latest.get().path("verdict").path("level").asString()).isEqualTo("down");
      assertThat(reader.isAlive()).isTrue();
      client.shutdownNow();
    }
    // Another takes its place, does what is left, and says goodbye.
    try (var next = worker("next")) {
      var seen =
          awaitOverview(it ->
              role(it, "worker").path("status").asString().equals("up")
                  && channel(it, "jobs:stream").path("depth").asLong() == 0);
      assertThat(role(seen, "worker").path("processes").size()).isEqualTo(1);
      assertThat(get(http + "/v1/jobs?status=done").body()).contains("\"total\":2");
      next.stop();
      var after = awaitOverview(it -> role(it, "worker").path("processes").isEmpty());
      assertThat(role(after, "worker").path("text").asString())
          .isEqualTo("no process. Start one: ./tidemill run worker");
    }
  }
}
