package io.tidemill.app;

import static io.tidemill.app.Product.address;
import static io.tidemill.app.Product.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.json.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// The product on one set of servers, and processes beside it with another data folder.
class IndexElsewhereUpIT {
  private static final Pattern ADDRESS = Pattern.compile("health and metrics at (http://\\S+)");

  @TempDir static Path folder;
  private static Product product;
  private static String http;
  private static Map<String, String> env;

  @BeforeAll
  static void start() {
    var data = folder.resolve("data");
    product = Product.up(data, "--only", "gateway,indexer");
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

  private static Product elsewhere(String role) {
    var data = "data.dir=" + folder.resolve(role + "-data");
    var arguments = List.of("run", role, "-s", data, "-s", "http.port=0");
    var started = Product.start(folder.resolve(role + ".log"), env, arguments);
    started.awaitLog(role + " ready");
    return started;
  }

  private static String url(Product started) {
    var found = ADDRESS.matcher(started.output());
    assertThat(found.find()).isTrue();
    return found.group(1);
  }

  private static JsonNode verdict() {
    return Json.parse(get(http + "/api/overview").body()).path("verdict");
  }

  private static void awaitVerdict(String level, String words) {
    await()
        .atMost(Product.PATIENCE)
        .untilAsserted(() -> {
          assertThat(verdict().path("text").asString()).contains(words);
          assertThat(verdict().path("level").asString()).isEqualTo(level);
        });
  }

  private static Product status(String name) {
    return Product.start(folder.resolve(name + ".log"), Map.of(), List.of("status", "--url", http));
  }

  @Test
  void aGatewayThatDoesNotSeeTheIndexIsReported() {
    awaitVerdict("ok", "All is well");
    assertThat(get(http + "/api/search?q=mill").statusCode()).isEqualTo(200);
    try (var other = elsewhere("gateway")) {
      var answer = get(url(other) + "/api/search?q=mill");

      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(Json.parse(answer.body()).path("detail").asString())
          .contains("the search index is not here", "search.dir");
      awaitVerdict("down", "the search index is not here");
      var shown = status("gateway-status");
      assertThat(shown.awaitExit()).isEqualTo(1);
      assertThat(shown.output()).contains("the search index is not here");
      assertThat(Json.parse(get(url(other) + "/api/status").body()).at("/index/problem").asString())
          .contains("the search index is not here");
      other.stop();
    }
    awaitVerdict("ok", "All is well");
  }

  @Test
  void aSecondIndexerWithAnotherFolderIsNotReady() {
    try (var other = elsewhere("indexer")) {
      var ready = get(url(other) + "/health/ready");

      assertThat(ready.statusCode()).isEqualTo(503);
      assertThat(Json.parse(ready.body()).at("/checks/index/detail").asString())
          .contains("pages are not split between two indexes");
      awaitVerdict("down", "this indexer does not run");
      assertThat(other.ownWords()).containsOnlyOnce("this indexer does not run");
      other.stop();
    }
    awaitVerdict("ok", "All is well");
  }
}
