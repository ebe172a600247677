package io.tidemill.app;

import static io.tidemill.app.Product.address;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Further processes that know of a running `up` only what `env` prints.
class EnvIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Pattern LINE = Pattern.compile("export ([A-Z0-9_]+)='([^']*)'");
  private static final String KEY = "0123456789abcdef";
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @TempDir static Path folder;
  private static Path data;
  private static Path elsewhere;
  private static Product product;
  private static Map<String, String> env;

  @BeforeAll
  static void start() throws IOException {
    data = folder.resolve("data");
    elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    var settings =
        Map.of(
            "api.keys", "admin:anna:" + KEY,
            "crawler.allow-networks", "127.0.0.0/8",
            "crawler.default-delay", "1ms",
            "crawler.bucket", "pages-of-ours",
            "collector.bucket", "pages-of-ours",
            "records.bucket", "records-of-ours",
            "jobs.stream", "our:jobs",
            "s3.access-key", "our-key",
            "s3.secret-key", "our-secret",
            "embedding.enabled", "false");
    var arguments =
        settings.entrySet().stream()
            .flatMap(each -> List.of("-s", each.getKey() + "=" + each.getValue()).stream())
            .collect(Collectors.toList());
    arguments.addAll(List.of("--only", "gateway"));
    product = Product.up(data, arguments.toArray(String[]::new));
    env = printed();
  }

  @AfterAll
  static void stop() {
    product.close();
  }

  private static Map<String, String> printed() {
    var log = folder.resolve("env.log");
    var arguments = List.of("env", "--data", data.toString());
    try (var command = Product.start(log, Map.of(), arguments)) {
      assertThat(command.awaitExit()).isZero();
      assertThat(command.output()).contains("# analytics.url is a DuckDB file");
      var variables = new HashMap<String, String>();
      for (var line = LINE.matcher(command.output()); line.find(); ) {
        variables.put(line.group(1), line.group(2));
      }
      return variables;
    }
  }

  private static Product run(String... roles) {
    var name = String.join("-", roles);
    var arguments = new ArrayList<>(List.of("run"));
    arguments.addAll(List.of(roles));
    if (name.equals("gateway")) arguments.addAll(List.of("-s", "http.port=0"));
    return Product.startIn(elsewhere, folder.resolve(name + ".log"), env, arguments);
  }

  private static HttpResponse<String> send(String url, String body) {
    var request =
        HttpRequest.newBuilder(URI.create(url))
            .header("Authorization", "Bearer " + KEY)
            .header("Content-Type", "application/json");
    if (!body.isEmpty()) request.POST(HttpRequest.BodyPublishers.ofString(body));
    try {
      return CLIENT.send(request.build(), BodyHandlers.ofString());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException stop) {
      throw new AssertionError(stop);
    }
  }

  private static JsonNode json(String url) {
    return Json.parse(send(url, "").body());
  }

  @Test
  void everyRoleWorksOnTheSameStores() throws IOException {
    var http = address(data, "http");
    try (var site = new OnePageSite("<title>Tide</title><p>The water rises at noon.</p>");
        var crawler = run("crawler");
        var indexer = run("indexer");
        var database = run("collector", "processor");
        var worker = run("worker");
        var gateway = run("gateway")) {
      for (var process : List.of(crawler, indexer, database, worker)) process.awaitLog("ready;");
      // Redis, under another name of its stream.
      var job = send(http + "/v1/jobs", "{\"task\":\"tool\",\"payload\":{\"name\":\"echo\"}}");
      var location = http + job.headers().firstValue("Location").orElseThrow();
      await()
          .atMost(PATIENCE)
          .until(() -> json(location).path("status").asString("").equals("done"));

      // Kafka, the networks that may be fetched from, AMQP, the index, S3 and the database.
      var crawl =
          send(
              http + "/api/crawls",
              "{\"url\":\"%s\",\"email\":\"a@example.org\",\"maxPages\":1}".formatted(site.url()));
      var id = Json.parse(crawl.body()).path("id").asString("");
      await()
          .atMost(PATIENCE)
          .untilAsserted(() ->
              assertThat(json(http + "/api/crawls/" + id).path("status").asString(""))
                  .isEqualTo("completed"));
      await()
          .atMost(PATIENCE)
          .until(() -> json(http + "/api/search?q=noon").path("total").asInt(0) == 1);
      await().atMost(PATIENCE).until(() -> isCounted(database));
      assertThat(data.resolve("s3/pages-of-ours")).isDirectory();
      assertThat(data.resolve("analytics.duckdb")).isRegularFile();

      // Another gateway: the same index, the same keys.
      gateway.awaitLog("ready;");
      var second = url(gateway);
      assertThat(json(second + "/api/search?q=noon").path("total").asInt(0)).isEqualTo(1);
      assertThat(Product.get(second + "/api/search?q=noon").statusCode()).isEqualTo(401);

      assertSecondWritersAreRefused();
    }
    assertThat(elsewhere).isEmptyDirectory(); // nothing of its own
  }

  @Test
  void ofTwoWritersThatStartTogetherOneIsRefused() throws IOException {
    var own = new HashMap<>(env);
    own.remove("TIDEMILL_ANALYTICS_URL");
    own.put("TIDEMILL_DATA_DIR", "data"); // one in each directory
    var arguments = List.of("run", "collector");
    try (var one = Product.startIn(directory(), folder.resolve("one.log"), own, arguments);
        var two = Product.startIn(directory(), folder.resolve("two.log"), own, arguments)) {
      await().atMost(PATIENCE).until(() -> one.hasEnded() || two.hasEnded());
      var refused = one.hasEnded() ? one : two;
      var other = one.hasEnded() ? two : one;

      assertThat(refused.awaitExit()).isEqualTo(2);
      assertThat(refused.output()).contains("analytics.url: ", "PostgreSQL").hasLineCount(1);
      other.awaitLog("collector ready;");
    }
  }

  private static Path directory() throws IOException {
    return Files.createTempDirectory(folder, "there");
  }

  private static boolean isCounted(Product collector) {
    return send(url(collector) + "/metrics", "")
        .body()
        .lines()
        .anyMatch(line ->
            line.startsWith("collector_messages_total")
                && line.contains("stored")
                && !line.endsWith(" 0.0"));
  }

  private static String url(Product process) {
    return process
        .output()
        .lines()
        .filter(line -> line.contains("health and metrics at "))
        .map(line -> line.replaceFirst(".*health and metrics at ", "").strip())
        .findFirst()
        .orElseThrow();
  }

  private static void assertSecondWritersAreRefused() throws IOException {
    // With nothing but the servers, as of old: each would have files of its own.
    var servers = new HashMap<>(env);
    servers.remove("TIDEMILL_DATA_DIR");
    servers.remove("TIDEMILL_ANALYTICS_URL");
    assertRefused(servers, "collector", "analytics.url: ", "PostgreSQL");
    assertRefused(servers, "processor", "analytics.url: ", "PostgreSQL");
    // With the file of the others too, which is in use.
    assertRefused(env, "collector", "analytics.url: ", "PostgreSQL");
  }

  private static void assertRefused(Map<String, String> env, String role, String... words)
      throws IOException {
    var there = directory();
    var log = folder.resolve("refused.log");
    try (var refused = Product.startIn(there, log, env, List.of("run", role))) {
      assertThat(refused.awaitExit()).isEqualTo(2);
      assertThat(refused.output()).contains(words).hasLineCount(1);
    }
    assertThat(there).isEmptyDirectory();
  }
}
