package io.tidemill.app;

import static io.tidemill.app.Product.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.json.Json;
import io.tidemill.servers.AmqpServer;
import io.tidemill.servers.KafkaServer;
import io.tidemill.servers.LocalServer;
import io.tidemill.servers.LocalServers;
import io.tidemill.servers.Ports;
import io.tidemill.servers.RedisServer;
import io.tidemill.servers.S3Server;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Roles that start before one of their servers does.
class ServerWaitIT {
  @TempDir static Path folder;
  private static RedisServer redis;
  private static KafkaServer kafka;
  private static AmqpServer amqp;
  private static S3Server s3;

  @BeforeAll
  static void startServers() {
    redis = new RedisServer(folder.resolve("redis"), 0);
    kafka = new KafkaServer(folder.resolve("kafka"), Ports.freeOr(0));
    amqp = amqp("amqp");
    s3 = s3("s3");
    LocalServers.startAll(List.of(redis, kafka, amqp, s3));
  }

  @AfterAll
  static void stopServers() {
    LocalServers.closeAll(List.of(redis, kafka, amqp, s3));
  }

  private static AmqpServer amqp(String name) {
    return new AmqpServer(folder.resolve(name), Ports.freeOr(0), "guest", "guest");
  }

  private static S3Server s3(String name) {
    return new S3Server(
        folder.resolve(name), Ports.freeOr(0), "tidemill", "tidemill-secret", List.of());
  }

  private static Map<String, String> env(String name) {
    var env = new HashMap<String, String>();
    env.put("TIDEMILL_REDIS_URL", redis.address());
    env.put("TIDEMILL_KAFKA_BOOTSTRAP", kafka.address());
    env.put("TIDEMILL_AMQP_URL", amqp.address());
    env.put("TIDEMILL_S3_ENDPOINT", s3.address());
    env.put("TIDEMILL_DATA_DIR", folder.resolve(name + "-data").toString());
    env.put("TIDEMILL_HEALTH_PORT", String.valueOf(Ports.freeOr(0)));
    env.put("TIDEMILL_EMBEDDING_ENABLED", "false");
    return env;
  }

  private static Product run(String role, Map<String, String> env) {
    return Product.start(folder.resolve(role + ".log"), env, List.of("run", role));
  }

  private static void assertWaits(
      Product process, Map<String, String> env, String name, Object at) {
    process.awaitLog("waits for " + name + " at " + at);
    var health = "http://127.0.0.1:" + env.get("TIDEMILL_HEALTH_PORT") + "/health/";
    assertThat(get(health + "live").statusCode()).isEqualTo(200);
    var ready = get(health + "ready");
    assertThat(ready.statusCode()).isEqualTo(503);
    assertThat(Json.parse(ready.body()).at("/checks/" + name + "/detail").stringValue())
        .contains("waits for " + at);
  }

  private static void assertGoesOn(Product process, Map<String, String> env, String role) {
    process.awaitLog(role + " ready; health and metrics at");
    var health = "http://127.0.0.1:" + env.get("TIDEMILL_HEALTH_PORT") + "/health/ready";
    await().atMost(Product.PATIENCE).until(() -> get(health).statusCode() == 200);
    assertThat(process.output().lines().filter(line -> line.contains("waits for "))).hasSize(1);
    assertThat(process.ownWords()).doesNotContain("\tat ", "Exception");
  }

  private static void assertWaitsFor(
      LocalServer late, String role, String setting, String address) {
    var env = env(role);
    env.put(setting, address);
    try (late;
        var process = run(role, env)) {
      assertWaits(process, env, late.name(), "127.0.0.1:" + late.port());

      late.start();

      assertGoesOn(process, env, role);
    }
  }

  @Test
  void aWorkerWaitsForRedis() {
    var late = new RedisServer(folder.resolve("late-redis"), 0);
    assertWaitsFor(late, "worker", "TIDEMILL_REDIS_URL", late.address());
  }

  @Test
  void aProcessorWaitsForKafka() {
    var late = new KafkaServer(folder.resolve("late-kafka"), Ports.freeOr(0));
    assertWaitsFor(late, "processor", "TIDEMILL_KAFKA_BOOTSTRAP", late.address());
  }

  @Test
  void anIndexerWaitsForAmqpAndNeedsNoKafka() {
    var late = amqp("late-amqp");
    var env = env("indexer");
    env.put("TIDEMILL_AMQP_URL", late.address());
    env.put("TIDEMILL_KAFKA_BOOTSTRAP", "127.0.0.1:" + Ports.freeOr(0));
    try (late;
        var process = run("indexer", env)) {
      assertWaits(process, env, "amqp", "127.0.0.1:" + late.port());

      late.start();

      assertGoesOn(process, env, "indexer");
    }
  }

  @Test
  void aCrawlerWaitsForTheObjectStore() {
    var late = s3("late-s3");
    assertWaitsFor(late, "crawler", "TIDEMILL_S3_ENDPOINT", late.address());
  }

  @Test
  void aCollectorWaitsForPostgres() throws Exception {
    var env = env("collector");
    try (var late = new LatePostgres(folder)) {
      env.put("TIDEMILL_ANALYTICS_URL", late.url());
      try (var process = run("collector", env)) {
        assertWaits(process, env, "postgresql", late.place());

        late.start();

        assertGoesOn(process, env, "collector");
      }
    }
  }

  @Test
  void aGatewayWaitsOnItsOwnPort() {
    var late = new RedisServer(folder.resolve("gateway-redis"), 0);
    var env = env("gateway");
    var port = env.get("TIDEMILL_HEALTH_PORT");
    env.put("TIDEMILL_HTTP_PORT", port);
    env.put("TIDEMILL_REDIS_URL", late.address());
    try (late;
        var process = run("gateway", env)) {
      assertWaits(process, env, "redis", "127.0.0.1:" + late.port());

      late.start();

      assertGoesOn(process, env, "gateway");
      assertThat(get("http://127.0.0.1:" + port + "/api/status").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void aStopEndsTheWaitAtOnce() {
    var env = env("stopped");
    env.put("TIDEMILL_REDIS_URL", "redis://127.0.0.1:" + Ports.freeOr(0));
    try (var process = Product.start(folder.resolve("stop.log"), env, List.of("run", "worker"))) {
      process.awaitLog("waits for redis");
      var beganNanos = System.nanoTime();

      assertThat(process.stop()).isEqualTo(143);

      assertThat(Duration.ofNanos(System.nanoTime() - beganNanos))
          .isLessThan(Duration.ofSeconds(5));
      assertThat(process.output()).doesNotContain("\tat ", "could not start");
    }
  }

  @Test
  void anAddressThatOutlivedItsServerIsNamed() {
    var env = env("stale");
    env.put("TIDEMILL_REDIS_URL", "redis://127.0.0.1:" + Ports.freeOr(0));
    var arguments = List.of("up", "--http-port", "0");
    try (var process = Product.start(folder.resolve("stale.log"), env, arguments)) {
      process.awaitLog(
          "(redis.url is from environment TIDEMILL_REDIS_URL, without it one is started here)");

      assertThat(process.stop()).isEqualTo(143);
    }
  }

  @Test
  void aServerThatDoesNotLetUsInIsNotWaitedFor() {
    var env = env("refused");
    env.put("TIDEMILL_AMQP_URL", amqp.address().replace("guest:guest@", "guest:wrong@"));
    try (var process =
        Product.start(folder.resolve("refused.log"), env, List.of("run", "indexer"))) {
      assertThat(process.awaitExit()).isEqualTo(2);
      assertThat(process.output())
          .contains("tidemill: amqp.url: the server does not let us in")
          .doesNotContain("wrong")
          .hasLineCount(1);
    }
  }
}
