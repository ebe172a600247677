package io.tidemill.cli;

import static io.tidemill.cli.FakeGateway.Canned.events;
import static io.tidemill.cli.FakeGateway.Canned.json;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemill.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The examples that need nothing but a gateway, each run as its own first lines say.
class ExamplesTest {
  private static final Path EXAMPLES = Path.of("..", "examples");
  private static final String COMPLETED =
      "{\"id\":\"c-1\",\"status\":\"completed\",\"result\":null}";
  private static final String NOTHING = "{\"total\":0,\"hits\":[]}";
  private static final String FOUND =
      """
      {"total":1,"hits":[{"url":"http://a/","title":"Tides","snippet":"<em>tide</em> &amp; moon\\u001b[2J"}]}
      """
          .strip();

  private final FakeGateway gateway = new FakeGateway();

  ExamplesTest() throws IOException {}

  private record Ended(int code, String output) {}

  @AfterEach
  void stopTheGateway() {
    gateway.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "curl sh crawl-and-search.sh",
        "python3 python3 crawl_and_search.py",
        "node node crawl-and-search.mjs"
      })
  void crawlsThenSearches(String needsAndCommand) throws Exception {
    gateway
        .on("POST /api/crawls", json(202, "{\"id\":\"c-1\",\"status\":\"pending\"}"))
        .on(
            "GET /api/crawls/c-1/events",
            events(
                event("hello", "{}")
                    + event("progress", "{\"found\":3,\"fetched\":2,\"failed\":0}")
                    + event("completed", "{}")))
        .on("GET /api/crawls/c-1", json(200, COMPLETED))
        .on("GET /api/search?q=tide+table&size=5", json(200, NOTHING), json(200, FOUND))
        .on("GET /api/search?q=tide%20table&size=5", json(200, NOTHING), json(200, FOUND));

    var ended = run(needsAndCommand, "http://a/?x=\"1\"", "tide table");

    assertThat(ended.output()).contains("crawl c-1", "progress", "completed", "Tides", "moon");
    assertThat(ended.output()).doesNotContain("\u001b");
    assertThat(ended.code()).isZero();
    var sent = Json.parse(gateway.seen("/api/crawls").getFirst().body());
    assertThat(sent.path("url").asString("")).isEqualTo("http://a/?x=\"1\"");
    assertThat(sent.path("maxPages").asInt(0)).isEqualTo(20);
  }

  @ParameterizedTest
  @ValueSource(strings = {"python3 python3 crawl_and_search.py", "node node crawl-and-search.mjs"})
  void goesOnWhereTheConnectionBroke(String needsAndCommand) throws Exception {
    gateway
        .on("POST /api/crawls", json(202, "{\"id\":\"c-1\"}"))
        .on(
            "GET /api/crawls/c-1/events",
            events("id: 1-0\n" + event("running", "{}")).thenCut(),
            events(event("completed", "{}")))
        .on("GET /api/crawls/c-1", json(200, COMPLETED))
        .on("GET /api/search?q=x&size=5", json(200, FOUND));

    assertThat(run(needsAndCommand, "http://a/", "x").code()).isZero();

    assertThat(gateway.seen("/api/crawls/c-1/events"))
        .extracting(request -> request.header("last-event-id"))
        .containsExactly(Optional.empty(), Optional.of("1-0"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "curl sh crawl-and-search.sh",
        "python3 python3 crawl_and_search.py",
        "node node crawl-and-search.mjs"
      })
  void failsWhenTheCrawlFails(String needsAndCommand) throws Exception {
    gateway
        .on("POST /api/crawls", json(202, "{\"id\":\"c-1\"}"))
        .on("GET /api/crawls/c-1/events", events(event("failed", "{}")))
        .on("GET /api/crawls/c-1", json(200, "{\"status\":\"failed\",\"result\":{}}"));

    assertThat(run(needsAndCommand, "http://a/", "x").code()).isNotZero();
  }

  @Test
  void everyScriptCanBeRead() throws Exception {
    try (var files = Files.list(EXAMPLES)) {
      for (var file : files.sorted().toList()) {
        var name = file.getFileName().toString();
        if (name.endsWith(".py")) check("python3", List.of("python3", "-c", PARSE, name));
        if (name.endsWith(".sh")) check("sh", List.of("sh", "-n", name));
        if (name.endsWith(".mjs")) check("node", List.of("node", "--check", name));
      }
    }
  }

  // Without leaving compiled files behind.
  private static final String PARSE = "import ast, sys; ast.parse(open(sys.argv[1]).read())";

  private void check(String needs, List<String> command) throws Exception {
    if (!isInstalled(needs)) return;
    var ended = run(command);
    assertThat(ended.code()).as(ended.output()).isZero();
  }

  private Ended run(String needsAndCommand, String... arguments) throws Exception {
    var words = List.of(needsAndCommand.split(" "));
    assumeTrue(isInstalled(words.getFirst()), words.getFirst() + " is not installed");
    var command = new ArrayList<>(words.subList(1, words.size()));
    command.addAll(List.of(arguments));
    return run(command);
  }

  private Ended run(List<String> command) throws IOException, InterruptedException {
    var builder =
        new ProcessBuilder(command).directory(EXAMPLES.toFile()).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("TIDEMILL_"));
    builder.environment().put("TIDEMILL_HTTP_URL", gateway.url());
    var process = builder.start();
    var output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return new Ended(process.exitValue(), output);
  }

  private static boolean isInstalled(String program) {
    return List.of(System.getenv("PATH").split(":")).stream()
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  private static String event(String type, String data) {
    return "event: %s\ndata: {\"id\":\"1-0\",\"type\":\"%s\",\"ts\":1,\"step\":\"s\",\"data\":%s}\n\n"
        .formatted(type, type, data);
  }
}
