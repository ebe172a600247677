package io.tidemill.app;

import static io.tidemill.app.Product.address;
import static io.tidemill.app.Product.awaitStatus;
import static io.tidemill.app.Product.get;
import static io.tidemill.app.Product.post;
import static io.tidemill.app.Product.submit;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.ConnectionFactory;
import io.tidemill.app.wiring.Addresses;
import io.tidemill.json.Json;
import io.tidemill.testing.PrometheusLint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.RedisClient;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/// `up`, with ordinary clients at the addresses that it prints.
class UpIT {
  @TempDir static Path folder;
  private static Path data;
  private static Product product;
  private static String http;

  @BeforeAll
  static void start() {
    data = folder.resolve("data");
    product = Product.up(data);
    http = address(data, "http");
  }

  @AfterAll
  static void stop() {
    product.close();
  }

  @Test
  void printsWhereEverythingIs() {
    for (var part : List.of("http", "kafka", "redis", "amqp", "s3")) {
      assertThat(product.output()).contains(address(data, part));
    }
    assertThat(product.output()).contains(data.toString()).doesNotContain("\tat ");
    assertThat(product.ownWords()).doesNotContain("Exception");
  }

  @Test
  void everyDependencyIsReadyByName() {
    var ready = get(http + "/health/ready");

    assertThat(ready.statusCode()).isEqualTo(200);
    assertThat(Json.parse(ready.body()).get("checks").propertyNames())
        .containsExactlyInAnyOrder(
            "redis",
            "kafka",
            "amqp",
            "s3",
            "index",
            "crawler",
            "crawls",
            "collector",
            "analytics",
            "flows",
            "processor");
  }

  @Test
  void redisHasTheWorkersGroup() {
    try (var redis = RedisClient.create(URI.create(address(data, "redis")))) {
      assertThat(redis.xinfoGroups("jobs:stream")).anyMatch(g -> g.getName().equals("workers"));
    }
  }

  @Test // C2.1
  void kafkaHasTheTopicsAsTheContractWantsThem() throws Exception {
    var names = List.of("crawl-requests", "crawl-responses", "workflows", "tasks");
    try (var admin = Admin.create(Map.of("bootstrap.servers", address(data, "kafka")))) {
      var topics = admin.describeTopics(names).allTopicNames().get(30, TimeUnit.SECONDS);
      assertThat(topics.values()).allMatch(topic -> topic.partitions().size() == 3);
      for (var name : names) {
        var resource = new ConfigResource(ConfigResource.Type.TOPIC, name);
        var configs = admin.describeConfigs(List.of(resource)).all().get();
        var config = requireNonNull(configs.get(resource));
        assertThat(config.get("retention.ms").value()).isEqualTo("604800000");
        assertThat(config.get("cleanup.policy").value()).isEqualTo("delete");
      }
    }
  }

  @Test // C4.1, C5.1
  void amqpHasTheQueuesAndTheBinding() throws Exception {
    var factory = new ConnectionFactory();
    factory.setUri(address(data, "amqp"));
    try (var connection = factory.newConnection();
        var channel = connection.createChannel()) {
      channel.queueDeclarePassive("crawler_queue");
      channel.exchangeDeclarePassive("smap.events");
      // It reaches the queue, and the collector, who can do nothing with it.
      var body = "no JSON".getBytes(StandardCharsets.UTF_8);
      channel.basicPublish("smap.events", "data.collected", null, body);
      await()
          .atMost(Product.PATIENCE)
          .until(() -> channel.basicGet("analytics.data.collected.dead", true) != null);
    }
  }

  @Test
  void s3TakesAndGivesObjects() {
    var keys = AwsBasicCredentials.create("tidemill", "tidemill-secret");
    try (var s3 =
        S3Client.builder()
            .endpointOverride(URI.create(address(data, "s3")))
            .credentialsProvider(StaticCredentialsProvider.create(keys))
            .region(Region.US_EAST_1)
            .forcePathStyle(true)
            .httpClient(UrlConnectionHttpClient.create())
            .build()) {
      s3.createBucket(bucket -> bucket.bucket("notes"));
      s3.putObject(put -> put.bucket("notes").key("one"), RequestBody.fromString("hello"));
      assertThat(s3.getObjectAsBytes(read -> read.bucket("notes").key("one")).asUtf8String())
          .isEqualTo("hello");
    }
  }

  @Test
  void metricsAreAsPrometheusWantsThem() throws Exception {
    submit(http, "{\"task\":\"tool\"}");
    post(http + "/api/crawls", "{\"url\":\"http://127.0.0.1:1/\",\"email\":\"a@example.org\"}");
    post(http + "/api/workflows", "{\"name\":\"metrics\",\"steps\":[\"validate\"]}");
    post(http + "/api/tasks", "{\"type\":\"data_export\",\"data\":{}}");
    await()
        .atMost(Product.PATIENCE)
        .untilAsserted(() ->
            assertThat(get(http + "/metrics").body())
                .contains("crawler_crawls_total", "flow_processing_seconds", "worker_deliveries"));

    var metrics = get(http + "/metrics").body();

    assertThat(PrometheusLint.problems(metrics)).isEmpty();
    assertThat(promtool(metrics)).isEmpty();
  }

  // What Prometheus' own tool says, where it is installed.
  private static String promtool(String metrics) throws Exception {
    Process tool;
    try {
      tool = new ProcessBuilder("promtool", "check", "metrics").redirectErrorStream(true).start();
    } catch (IOException missing) {
      return "";
    }
    try (var in = tool.getOutputStream()) {
      in.write(metrics.getBytes(UTF_8));
    }
    return new String(tool.getInputStream().readAllBytes(), UTF_8);
  }

  @Test
  void metricsAndDescriptionsAreServed() {
    submit(http, "{\"task\":\"tool\"}");
    assertThat(get(http + "/metrics").body()).contains("gateway_", "worker_", "jvm_memory");
    assertThat(Json.parse(get(http + "/openapi.json").body()).get("openapi").stringValue())
        .startsWith("3.1");
    var contracts = Json.parse(get(http + "/contracts/").body()).get("contracts");
    for (var contract : contracts) {
      assertThat(get(http + contract.stringValue()).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void workersOfferEveryTool() { // C3.11
    await()
        .atMost(Product.PATIENCE)
        .untilAsserted(() ->
            assertThat(Json.parse(get(http + "/v1/tools").body()).path("tools").valueStream())
                .extracting(tool -> tool.path("name").asString())
                .containsExactlyInAnyOrder(
                    "analytics.query",
                    "crawl.start",
                    "crawl.status",
                    "echo",
                    "http.get",
                    "search",
                    "sleep",
                    "workflow.start",
                    "workflow.status"));
  }

  @Test
  void aSecondInstanceInTheSameFolderIsRefused() {
    var arguments = List.of("up", "--data", data.toString(), "--http-port", "0");
    try (var second = Product.start(folder.resolve("second.log"), Map.of(), arguments)) {
      assertThat(second.awaitExit()).isEqualTo(2);
      assertThat(second.output()).contains("tidemill: data.dir is").hasLineCount(1);
    }
  }

  @Test
  void theWorldIsNotLetInWithoutKeys() {
    var other = folder.resolve("world");
    var arguments = List.of("up", "--data", other.toString(), "-s", "http.host=0.0.0.0");
    try (var open = Product.start(folder.resolve("world.log"), Map.of(), arguments)) {
      assertThat(open.awaitExit()).isEqualTo(2);
      assertThat(open.output()).contains("http.host", "api.keys").hasLineCount(1);
    }
  }

  @Test
  void aWrongSettingIsNamedInOneLine() {
    var env = Map.of("TIDEMILL_WORKER_SLOTS", "many");
    try (var wrong = Product.start(folder.resolve("wrong.log"), env, List.of("up"))) {
      assertThat(wrong.awaitExit()).isEqualTo(2);
      assertThat(wrong.output())
          .contains("worker.slots", "many", "TIDEMILL_WORKER_SLOTS", "whole number")
          .hasLineCount(1);
    }
  }

  @Test
  void allWrongSettingsAreNamedAtOnce() {
    var env = Map.of("TIDEMILL_WORKER_SLOTS", "many", "TIDEMILL_KAFKA_BOOTSTRAP", "somewhere");
    for (var command : List.of(List.of("up"), List.of("run", "worker"))) {
      var arguments = new ArrayList<>(command);
      arguments.addAll(List.of("-s", "s3.endpoint=somewhere", "-s", "amqp.url=nowhere"));
      arguments.addAll(List.of("-s", "redis.ur=redis://127.0.0.1"));
      try (var wrong = Product.start(folder.resolve("wrong.log"), env, arguments)) {
        assertThat(wrong.awaitExit()).isEqualTo(2);
        assertThat(wrong.output().lines())
            .containsExactlyInAnyOrder(
                "tidemill: unknown setting redis.ur (from -s): did you mean redis.url",
                "tidemill: worker.slots is 'many' (from environment TIDEMILL_WORKER_SLOTS): expected a whole number",
                "tidemill: kafka.bootstrap is 'somewhere' (from environment TIDEMILL_KAFKA_BOOTSTRAP): expected host:port,host:port",
                "tidemill: amqp.url can't be used (from -s): expected amqp://[user:password@]host:port[/vhost]",
                "tidemill: s3.endpoint is 'somewhere' (from -s): expected http://host:port");
      }
    }
  }

  @Test
  void aTakenHttpPortIsFoundBeforeAnythingStarts() throws IOException {
    var own = folder.resolve("taken");
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var port = String.valueOf(taken.getLocalPort());
      var arguments = List.of("up", "--data", own.toString(), "--http-port", port);
      try (var late = Product.start(folder.resolve("taken.log"), Map.of(), arguments)) {
        assertThat(late.awaitExit()).isEqualTo(2);
        assertThat(late.output())
            .contains("http.port is " + port + " (from -s)", "--http-port")
            .hasLineCount(1);
      }
    }
    assertThat(own.resolve("kafka")).doesNotExist();
    assertThat(own.resolve("redis")).doesNotExist();
  }

  @Test
  void aTakenPortOfAServerThatTheSettingsNameIsRefused() throws IOException {
    var own = folder.resolve("chosen");
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var env = Map.of("TIDEMILL_SERVERS_KAFKA_PORT", String.valueOf(taken.getLocalPort()));
      var arguments = new ArrayList<>(List.of("up", "--data", own.toString(), "--http-port", "0"));
      arguments.addAll(List.of("-s", "servers.s3.port=" + other.getLocalPort()));
      try (var refused = Product.start(folder.resolve("chosen.log"), env, arguments)) {
        assertThat(refused.awaitExit()).isEqualTo(2);
        assertThat(refused.output())
            .contains(
                "servers.kafka.port is %d (from environment TIDEMILL_SERVERS_KAFKA_PORT): the port is taken"
                    .formatted(taken.getLocalPort()),
                "servers.s3.port is %d (from -s): the port is taken; stop the program that has it"
                    .formatted(other.getLocalPort()))
            .hasLineCount(2);
      }
    }
    assertThat(own.resolve("redis")).doesNotExist();
  }

  @Test
  void anotherWorkerJoinsByTheAddressesOfEnv() {
    // The port of a file that all processes share is the gateway's, which has it.
    var port = String.valueOf(URI.create(http).getPort());
    var env = Map.of("TIDEMILL_REDIS_URL", address(data, "redis"), "TIDEMILL_HTTP_PORT", port);
    try (var worker = Product.start(folder.resolve("worker.log"), env, List.of("run", "worker"))) {
      worker.awaitLog("worker ready");
      await()
          .atMost(Product.PATIENCE)
          .untilAsserted(
              () -> assertThat(status().get("jobs").get("workers").intValue()).isGreaterThan(1));
    }
  }

  private static tools.jackson.databind.JsonNode status() {
    return Json.parse(get(http + "/api/status").body());
  }

  @Test
  void runWithoutAddressesSaysWhatIsMissing() {
    try (var run = Product.start(folder.resolve("run.log"), Map.of(), List.of("run", "worker"))) {
      assertThat(run.awaitExit()).isEqualTo(2);
      assertThat(run.output()).contains("redis.url is empty").hasLineCount(1);
    }
    try (var run = Product.start(folder.resolve("run.log"), Map.of(), List.of("run", "crawler"))) {
      assertThat(run.awaitExit()).isEqualTo(2);
      assertThat(run.output())
          .contains("redis.url is", "kafka.bootstrap is", "amqp.url is", "s3.endpoint is")
          .contains("crawler needs it")
          .hasLineCount(4);
    }
  }

  @Test
  void embedsTextsAndAnswersQuestionsWithoutAnyNetwork() { // C3.11
    var embed = submit(http, "{\"task\":\"embed\",\"payload\":{\"text\":\"tide\"}}");
    awaitStatus(embed, "done");
    var result = Json.parse(get(embed).body()).get("result");
    assertThat(result.get("dimensions").intValue()).isEqualTo(384);
    assertThat(result.get("vectors").get(0).size()).isEqualTo(384);

    var rag =
        submit(http, "{\"task\":\"rag\",\"payload\":{\"question\":\"Why does the sea rise?\"}}");
    awaitStatus(rag, "error"); // nothing was crawled here
    assertThat(get(rag).body()).contains("NO_PAGES");
  }

  @Test
  void tasksOfALanguageModelSayWhichSettingTheyNeed() { // C3.11
    for (var asked : Map.of("chat", "prompt", "plan", "goal", "code", "task").entrySet()) {
      var job =
          submit(
              http,
              "{\"task\":\"%s\",\"payload\":{\"%s\":\"anything\"}}"
                  .formatted(asked.getKey(), asked.getValue()));
      awaitStatus(job, "error");
      assertThat(get(job).body()).contains("NOT_CONFIGURED", "llm.url and llm.model are not set");
    }
  }

  @Test
  void aJobOutlivesTheWholeProductKilledInTheMiddle() throws IOException {
    var own = folder.resolve("killed/data");
    Files.createDirectories(own.getParent());
    String before;
    try (var first = Product.up(own, "-s", "worker.lease=1s")) {
      before = address(own, "http");
      var job = submit(before, sleep(600_000));
      awaitStatus(job, "running");
      var finished = submit(before, "{\"task\":\"tool\",\"payload\":{\"name\":\"echo\"}}");
      awaitStatus(finished, "done");
      first.kill();

      try (var second = Product.up(own, "-s", "worker.lease=1s", "-s", "worker.timeout=2s")) {
        var after = address(own, "http");
        awaitStatus(finished.replace(before, after), "done");
        awaitStatus(job.replace(before, after), "error"); // taken over, and ended by its timeout
        assertThat(get(job.replace(before, after)).body()).contains("TIMEOUT");
        assertThat(second.stop()).isEqualTo(143);
        assertThat(second.output()).contains("stopped");
        assertThat(Addresses.file(own)).doesNotExist();
      }
    }
  }

  private static String sleep(int ms) {
    return "{\"task\":\"tool\",\"payload\":{\"name\":\"sleep\",\"arguments\":{\"ms\":%d}}}"
        .formatted(ms);
  }
}
