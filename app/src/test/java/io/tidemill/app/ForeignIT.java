package io.tidemill.app;

import static io.tidemill.app.Product.address;
import static io.tidemill.app.Product.get;
import static io.tidemill.app.Product.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.rabbitmq.client.ConnectionFactory;
import io.tidemill.json.Json;
import io.tidemill.testing.ChildProcessGuard;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The other sides of C1 and C4, played by the examples in Python on the product's own brokers.
class ForeignIT {
  private static final Path EXAMPLES = Path.of("..", "examples").toAbsolutePath().normalize();
  // Debian's own, which has Debian's packages, whatever else stands first on the path.
  private static final String PYTHON =
      Files.isExecutable(Path.of("/usr/bin/python3")) ? "/usr/bin/python3" : "python3";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir static Path folder;
  private static Path data;
  private static Product product;

  @BeforeAll
  static void start() {
    data = folder.resolve("data");
    product = Product.up(data, "--only", "gateway,collector");
  }

  @AfterAll
  static void stop() {
    product.close();
  }

  private static Process python(Path log, String... arguments) throws IOException {
    var command = new ArrayList<>(List.of(PYTHON));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(ChildProcessGuard.guarded(command)).redirectErrorStream(true);
    builder.redirectOutput(log.toFile());
    builder.environment().put("TIDEMILL_KAFKA_BOOTSTRAP", address(data, "kafka"));
    builder.environment().put("TIDEMILL_AMQP_URL", address(data, "amqp"));
    return builder.start();
  }

  private static void assumeModule(String name) throws Exception {
    var check = python(folder.resolve(name), "-c", "import " + name);
    assumeTrue(check.waitFor() == 0, "python3 has no " + name);
  }

  @Test
  void aCrawlerInPythonAnswersOurGateway() throws Exception { // C1
    assumeModule("kafka");
    var crawler =
        python(folder.resolve("crawler.log"), EXAMPLES.resolve("foreign_crawler.py").toString());
    try (var site = new OnePageSite("<title>Far away</title><p>Distant shores</p>")) {
      var http = address(data, "http");
      var body = "{\"url\":\"" + site.url() + "\",\"email\":\"a@example.org\"}";
      var id = Json.parse(post(http + "/api/crawls", body).body()).get("id").stringValue();

      await()
          .atMost(PATIENCE)
          .until(() -> !get(http + "/api/crawls/" + id).body().contains("\"pending\""));

      var crawl = Json.parse(get(http + "/api/crawls/" + id).body());
      assertThat(crawl.get("status").stringValue()).isEqualTo("completed");
      assertThat(Json.text(crawl.get("result"))).contains("Distant shores");
    } finally {
      crawler.destroy();
    }
  }

  @Test
  void anIndexerInPythonTakesOurPages() throws Exception { // C4
    assumeModule("pika");
    var database = folder.resolve("pages.db");
    var script = EXAMPLES.resolve("foreign_indexer.py").toString();
    var log = folder.resolve("indexer.log");
    var indexer = python(log, script, database.toString());
    try {
      publish(
          "{\"url\":\"http://a.test/\",\"text\":\"the moon pulls the sea\",\"metadata\":{\"title\":\"Moon\","
              + "\"description\":\"\",\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"status_code\":200}}");

      await().atMost(PATIENCE).until(() -> Files.readString(log).contains("stored 1"));

      var found = folder.resolve("found.log");
      assertThat(python(found, script, database.toString(), "moon").waitFor()).isZero();
      assertThat(Files.readString(found)).contains("http://a.test/", "[moon]");
    } finally {
      indexer.destroy();
    }
  }

  @Test
  void postsFromPythonAreAnalysed() throws Exception { // C5
    assumeModule("pika");
    var log = folder.resolve("collected.log");
    var script = EXAMPLES.resolve("collected.py").toString();
    assertThat(
            python(
                    log,
                    script,
                    "shoes",
                    "What a lovely pair of boots, I like them very much!",
                    "These shoes are terrible, they broke after a week.")
                .waitFor())
        .as(() -> read(log))
        .isZero();

    var project = address(data, "http") + "/api/analytics/projects/shoes";
    await()
        .atMost(PATIENCE)
        .until(() -> Json.parse(get(project).body()).at("/totals/items").asInt(0) == 2);
    var platform = Json.parse(get(project).body()).at("/platforms/0");
    assertThat(platform.path("positive").asInt()).isEqualTo(1);
    assertThat(platform.path("negative").asInt()).isEqualTo(1);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (java.io.IOException gone) {
      return "";
    }
  }

  private static void publish(String page) throws Exception {
    var factory = new ConnectionFactory();
    factory.setUri(address(data, "amqp"));
    try (var connection = factory.newConnection();
        var channel = connection.createChannel()) {
      channel.confirmSelect();
      channel.basicPublish("", "crawler_queue", null, page.getBytes(StandardCharsets.UTF_8));
      channel.waitForConfirmsOrDie(10_000);
    }
  }
}
