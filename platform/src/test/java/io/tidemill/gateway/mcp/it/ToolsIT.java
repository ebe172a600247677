package io.tidemill.gateway.mcp.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.json.Json;
import io.tidemill.support.JobPlatform;
import io.tidemill.support.TestGateway;
import io.tidemill.testing.ChildProcessGuard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// The tools of a real worker as clients list and call them: over `/v1/tools` and over MCP, by raw
/// HTTP and by the official clients (C3.11).
class ToolsIT {
  private static final String BOTH = "application/json, text/event-stream";

  @TempDir static Path folder;
  private static JobPlatform platform;

  @BeforeAll
  static void start() {
    platform =
        JobPlatform.whole(
            "worker.lease=1m", "worker.timeout=10m", "jobs.heartbeat=100ms", "jobs.max-waiting=50");
    await().until(() -> platform.get("/v1/tools").body().contains("\"echo\""));
  }

  @AfterAll
  static void stop() {
    platform.close();
  }

  private static JsonNode tools() {
    return Json.parse(platform.get("/v1/tools").body()).path("tools");
  }

  private static List<String> names(JsonNode tools) {
    return tools.valueStream().map(tool -> tool.path("name").asString()).toList();
  }

  private static HttpResponse<String> post(String body, String... headers) {
    return platform.post("/mcp", body.replace('\'', '"'), headers);
  }

  private static JsonNode result(String method, String params) {
    var body = "{'jsonrpc':'2.0','id':1,'method':'%s','params':%s}".formatted(method, params);
    return Json.parse(post(body).body());
  }

  private static JsonNode call(String name, String arguments) {
    return result("tools/call", "{'name':'%s','arguments':%s}".formatted(name, arguments))
        .path("result");
  }

  @Test
  void listsWhatWorkersAnnounceAndOnlyWhatClientsCanUse() { // C3.11, G7
    var key = "jobs:stream:tools";
    var now = System.currentTimeMillis();
    var good =
        """
        {"seen":%d,"description":"Théirs","inputSchema":{"type":"object","properties":{"q":{"type":"string"}}}}
        """;
    platform.resp().call("HSET", key, "their.tool", good.formatted(now + 600_000));
    platform.resp().call("HSET", key, "gone", good.formatted(now - 60_000));
    platform.resp().call("HSET", key, "forgotten", good.formatted(now - 7_200_000));
    platform.resp().call("HSET", key, "no-json", "nonsense");
    platform.resp().call("HSET", key, "no-schema", "{\"seen\":%d}".formatted(now));
    platform.resp().call("HSET", key, "bad", good.formatted(now).replace("\"object\"", "\"text\""));

    assertThat(names(tools())).contains("echo", "sleep", "their.tool");
    assertThat(names(tools())).doesNotContain("gone", "forgotten", "no-json", "no-schema", "bad");
    var sleep = tools().valueStream().filter(t -> t.path("name").asString().equals("sleep"));
    assertThat(sleep.findFirst().orElseThrow().at("/inputSchema/required/0").asString())
        .isEqualTo("ms");
    var listed = result("tools/list", "{}").at("/result/tools");
    assertThat(names(listed)).contains("their_tool").isSorted();
    // The workers tidy up behind those who went.
    await().until(() -> platform.resp().call("HGET", key, "forgotten") == null);
  }

  @Test
  void shakesHandsInTheVersionThatBothKnow() {
    var answer =
        post(
            "{'jsonrpc':'2.0','id':'a','method':'initialize','params':{'protocolVersion':'2025-06-18','capabilities':{},'clientInfo':{'name':'x','version':'1'}}}");

    assertThat(answer.headers().firstValue("Mcp-Session-Id")).isPresent();
    var tree = Json.parse(answer.body());
    assertThat(tree.path("id").asString()).isEqualTo("a");
    assertThat(tree.at("/result/protocolVersion").asString()).isEqualTo("2025-06-18");
    assertThat(tree.at("/result/serverInfo/name").asString()).isEqualTo("tidemill");
    assertThat(tree.at("/result/capabilities/tools").isObject()).isTrue();
    assertThat(
            result("initialize", "{'protocolVersion':'1999-01-01'}")
                .at("/result/protocolVersion")
                .asString())
        .isEqualTo("2025-11-25");
    assertThat(result("ping", "{}").path("result").isEmpty()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nonsense                                     | 400 | -32700",
        "''                                           | 400 | -32700",
        "[]                                           | 400 | -32600",
        "7                                            | 400 | -32600",
        "{'id':1,'method':'ping'}                     | 400 | -32600",
        "{'jsonrpc':'2.0','id':1}                     | 400 | -32600",
        "{'jsonrpc':'2.0','id':null,'method':'ping'}  | 400 | -32600",
        "{'jsonrpc':'2.0','id':1,'method':'ping','params':[]} | 400 | -32600",
        "{'jsonrpc':'2.0','id':1,'method':'nonsense'} | 200 | -32601",
        "{'jsonrpc':'2.0','id':1,'method':'server/discover'} | 200 | -32601",
        "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{'cursor':'x'}} | 200 | -32602",
        "{'jsonrpc':'2.0','id':1,'method':'tools/call'} | 200 | -32602",
        "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'nonsense'}} | 200 | -32602",
        "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'echo','arguments':[]}} | 200 | -32602"
      })
  void refusesWhatIsNoMessageOrCanNotBeDone(String body, int status, int code) {
    var answer = post(body);

    assertThat(answer.statusCode()).isEqualTo(status);
    var tree = Json.parse(answer.body());
    assertThat(tree.path("jsonrpc").asString()).isEqualTo("2.0");
    assertThat(tree.at("/error/code").asInt()).isEqualTo(code);
    assertThat(tree.at("/error/message").asString()).isNotBlank();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'jsonrpc':'2.0','method':'notifications/initialized'}",
        "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':9}}",
        "{'jsonrpc':'2.0','id':1,'result':{}}"
      })
  void takesNoticesWithoutAWord(String body) {
    var answer = post(body, "Mcp-Session-Id", "any");

    assertThat(answer.statusCode()).isEqualTo(202);
    assertThat(answer.body()).isEmpty();
  }

  @Test
  void keepsOtherWebPagesAndOtherWaysOut() throws Exception { // F52
    var ping = "{'jsonrpc':'2.0','id':1,'method':'ping'}";

    assertThat(post(ping, "Origin", "https://evil.example").statusCode()).isEqualTo(403);
    assertThat(post(ping, "Origin", "http://localhost:" + platform.gateway().port()).statusCode())
        .isEqualTo(200);
    assertThat(post(ping, "Accept", "text/html").statusCode()).isEqualTo(406);
    assertThat(post(ping, "Accept", "*/*").statusCode()).isEqualTo(200);
    var old = post(ping, "MCP-Protocol-Version", "1999-01-01");
    assertThat(old.statusCode()).isEqualTo(400);
    assertThat(Json.parse(old.body()).at("/error/data/supported/0").asString())
        .isEqualTo("2026-07-28");
    var get = platform.get("/mcp", "Accept", "text/event-stream");
    assertThat(get.statusCode()).isEqualTo(405);
    assertThat(get.headers().firstValue("Allow").orElse("")).contains("POST");
    // A name that somebody let point to this machine.
    assertThat(
            raw(
                "POST /mcp HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 403");
    assertThat(raw("DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 405");
  }

  private static String raw(String request) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), platform.gateway().port())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ping            | ping            | 2026-07-28 | 404 | -32601",
        "initialize      | initialize      | 2026-07-28 | 404 | -32601",
        "tools/list      | tools/call      | 2026-07-28 | 400 | -32020",
        "tools/list      | tools/list      | 2027-01-01 | 400 | -32022",
        "tools/call      | tools/call      | 2026-07-28 | 400 | -32020"
      })
  void holdsStatelessRequestsToTheirHeaders(
      String method, String header, String version, int status, int code) {
    var meta =
        "{'io.modelcontextprotocol/protocolVersion':'%s','io.modelcontextprotocol/clientCapabilities':{}}"
            .formatted(version);
    var answer =
        post(
            "{'jsonrpc':'2.0','id':1,'method':'%s','params':{'name':'echo','_meta':%s}}"
                .formatted(method, meta),
            "MCP-Protocol-Version",
            version,
            "Mcp-Method",
            header);

    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(Json.parse(answer.body()).at("/error/code").asInt()).isEqualTo(code);
  }

  @Test
  void answersCallsInEveryWayTheyCanEnd() {
    var echo = call("echo", "{'hello':'tide'}");
    assertThat(echo.path("isError").asBoolean()).isFalse();
    assertThat(echo.at("/structuredContent/hello").asString()).isEqualTo("tide");
    assertThat(echo.at("/content/0/text").asString()).isEqualTo("{\"hello\":\"tide\"}");

    var big = call("big", "{'n':100000}"); // too long for an event
    assertThat(big.at("/content/0/text").asString()).hasSize(100_000);
    assertThat(big.has("structuredContent")).isFalse();

    var failed = call("fail", "{'how':'failure'}");
    assertThat(failed.path("isError").asBoolean()).isTrue();
    assertThat(failed.at("/content/0/text").asString()).isEqualTo("NO_LUCK: it can't be done");
    assertThat(call("sleep", "{'ms':-1}").at("/content/0/text").asString())
        .startsWith("BAD_ARGUMENTS: ms: ");
    assertThat(call("fail", "{'how':'null'}").at("/content/0/text").asString()).isEqualTo("null");
    var huge = call("echo", "{'a':'" + "x".repeat(210_000) + "'}");
    assertThat(huge.isMissingNode()).isTrue();
  }

  @Test
  void streamsProgressOnRequest() {
    var body =
        "{'jsonrpc':'2.0','id':5,'method':'tools/call','params':{'name':'report','_meta':{'progressToken':'t'}}}";

    var told = post(body, "Accept", BOTH);
    var quiet = post(body.replace("'_meta':{'progressToken':'t'}", "'_meta':{}"), "Accept", BOTH);

    assertThat(told.headers().firstValue("Content-Type")).contains("text/event-stream");
    var events = messages(told.body());
    assertThat(events).hasSize(3);
    assertThat(events.get(0).at("/params/progressToken").asString()).isEqualTo("t");
    assertThat(events.get(0).at("/params/progress").asDouble()).isEqualTo(0.5);
    assertThat(events.get(1).at("/params/message").asString()).isEqualTo("a line");
    assertThat(events.get(1).at("/params/progress").asDouble()).isGreaterThan(0.5);
    assertThat(events.get(2).path("id").asInt()).isEqualTo(5);
    assertThat(messages(quiet.body())).hasSize(1);
  }

  private static List<JsonNode> messages(String stream) {
    return stream
        .lines()
        .filter(line -> line.startsWith("data: "))
        .map(line -> Json.parse(line.substring("data: ".length())))
        .toList();
  }

  @Test
  void cancelsTheJobOfAClientThatHangsUp() throws Exception {
    var entered = folder.resolve("hung-up");
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), platform.gateway().port())) {
      var body =
          "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'gate','arguments':{'entered':'%s','go':'%s'}}}"
              .formatted(entered, folder.resolve("never"))
              .replace('\'', '"');
      var head =
          "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: %s\r\nContent-Length: %d\r\n\r\n"
              .formatted(BOTH, body.length());
      socket.getOutputStream().write((head + body).getBytes(StandardCharsets.US_ASCII));
      await().until(() -> Files.exists(entered));
      assertThat(canceled(entered)).isFalse();
      socket.setSoLinger(true, 0);
    }

    await().until(() -> canceled(entered));
  }

  // The job that made this file.
  private static boolean canceled(Path entered) {
    for (var key : (List<?>) platform.resp().call("KEYS", "job:*")) {
      if (String.valueOf(key).endsWith(":events")) continue;
      var job = platform.resp().hash(String.valueOf(key));
      if (job.get("payload").contains(entered.toString())) {
        return "canceled".equals(job.get("status"));
      }
    }
    return false;
  }

  @Test
  void viewersListAllToolsAndCallThoseThatOnlyRead() {
    var keys = "api.keys=viewer:kim:one,operator:bob:two";
    try (var guarded = new TestGateway(platform.server().address(), keys);
        var readOnly = new TestGateway(platform.server().address(), keys, "api.read-only=true")) {
      var listed = as("one", guarded, "tools/list", "{}").at("/result/tools");
      assertThat(names(listed)).contains("echo", "sleep");
      assertThat(annotated(listed)).contains("echo").doesNotContain("sleep", "http_get", "fail");
      assertThat(annotated(tools())).contains("echo").doesNotContain("sleep");

      var echo = "{'name':'echo','arguments':{'n':1}}";
      var sleep = "{'name':'sleep','arguments':{'ms':1}}";
      for (var gateway : List.of(guarded, readOnly)) {
        assertThat(as("one", gateway, "tools/call", echo).at("/result/isError").asBoolean(true))
            .isFalse();
      }
      var low = as("one", guarded, "tools/call", sleep).path("error");
      assertThat(low.path("code").asInt()).isEqualTo(403);
      assertThat(low.path("message").asString())
          .isEqualTo("this needs the role operator; yours is viewer");
      assertThat(low.at("/data/needs").asString()).isEqualTo("operator");
      assertThat(as("two", guarded, "tools/call", sleep).at("/result/isError").asBoolean(true))
          .isFalse();
      var kept = as("two", readOnly, "tools/call", sleep).path("error");
      assertThat(kept.path("message").asString()).contains("api.read-only");
      assertThat(kept.at("/data/readOnly").asBoolean(false)).isTrue();
    }
  }

  private static List<String> annotated(JsonNode tools) {
    return tools
        .valueStream()
        .filter(tool -> tool.at("/annotations/readOnlyHint").asBoolean(false))
        .map(tool -> tool.path("name").asString())
        .toList();
  }

  private static JsonNode as(String key, TestGateway gateway, String method, String params) {
    var body = "{'jsonrpc':'2.0','id':1,'method':'%s','params':%s}".formatted(method, params);
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.port() + "/mcp"))
            .header("Content-Type", "application/json")
            .header("X-Api-Key", key)
            .POST(BodyPublishers.ofString(body.replace('\'', '"')))
            .build();
    try (var client = HttpClient.newHttpClient()) {
      return Json.parse(client.send(request, BodyHandlers.ofString()).body());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  @Test
  void turnsCallsAwayWhenTooManyJobsWait() {
    var full = JobPlatform.redis("jobs.max-waiting=1", "jobs.heartbeat=100ms", "mcp.timeout=300ms");
    try (full) {
      full.gateway();
      full.resp().call("XGROUP", "CREATE", "jobs:stream", "workers", "0", "MKSTREAM");
      full.resp()
          .call(
              "HSET",
              "jobs:stream:tools",
              "theirs",
              "{\"seen\":%d,\"inputSchema\":{\"type\":\"object\"}}"
                  .formatted(System.currentTimeMillis() + 600_000));
      var body =
          "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"theirs\"}}";

      // Nobody works: the first call waits in vain, and its place in the queue is taken.
      var late = Json.parse(full.post("/mcp", body).body());
      var refused = Json.parse(full.post("/mcp", body).body());

      assertThat(late.at("/result/isError").asBoolean()).isTrue();
      assertThat(late.at("/result/content/0/text").asString()).contains("did not end within");
      assertThat(refused.at("/error/code").asInt()).isEqualTo(429);
      assertThat(refused.at("/error/message").asString()).contains("too many jobs wait");
      assertThat(refused.at("/error/data/retryAfterSeconds").asInt()).isOne();
    }
  }

  @Test
  void theOfficialClientsListAndCallTheTools() throws Exception {
    var seen = Json.parse(client());

    for (var era : List.of("shaking", "stateless")) {
      var one = seen.path(era);
      assertThat(one.path("errors").isEmpty()).as(one.path("errors").toString()).isTrue();
      assertThat(one.at("/server/name").asString()).isEqualTo("tidemill");
      assertThat(names(one.path("tools"))).contains("echo", "sleep", "fail");
      assertThat(one.at("/echo/structuredContent/n").asInt()).isEqualTo(7);
      assertThat(one.at("/unknown/code").asInt()).isEqualTo(-32602);
      assertThat(one.at("/wrong/isError").asBoolean()).isTrue();
      assertThat(one.at("/wrong/content/0/text").asString())
          .isEqualTo("BAD_ARGUMENTS: ms: string found, integer expected");
      assertThat(one.at("/failed/content/0/text").asString()).startsWith("NO_LUCK");
      assertThat(one.path("heard").size()).isEqualTo(10);
      assertThat(one.at("/heard/9/progress").asDouble()).isEqualTo(1);
      assertThat(one.at("/slow/structuredContent/slept_ms").asInt()).isEqualTo(1_000);
      assertThat(one.path("left").asString()).isEqualTo("aborted");
      await().until(() -> canceled(folder.resolve(era)));
    }
  }

  private static String client() throws Exception {
    // `./tidemill test` puts them there.
    var home = Path.of("..", "target", "mcp").toAbsolutePath().normalize();
    Assumptions.assumeTrue(
        Files.exists(home.resolve("installed")),
        "the MCP clients of npm are not installed in target/mcp");
    var script = home.resolve("client.mjs");
    Files.copy(Path.of("src/test/mcp/client.mjs"), script, StandardCopyOption.REPLACE_EXISTING);
    // Files, not pipes: whoever reads a pipe waits as long as the client does.
    var out = folder.resolve("client.out");
    var err = folder.resolve("client.err");
    var process =
        new ProcessBuilder(
                ChildProcessGuard.guarded(
                    List.of(
                        "node",
                        script.toString(),
                        "http://127.0.0.1:" + platform.gateway().port() + "/mcp",
                        folder.toString())))
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    try {
      var hasEnded = process.waitFor(120, TimeUnit.SECONDS);
      assertThat(hasEnded).as("the client ended; it said: %s", Files.readString(err)).isTrue();
      assertThat(process.exitValue()).as(Files.readString(err)).isZero();
      return Files.readAllLines(out).getLast();
    } finally {
      process.destroyForcibly();
    }
  }
}
