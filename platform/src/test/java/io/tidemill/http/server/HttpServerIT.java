package io.tidemill.http.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemill.config.SettingsException;
import io.tidemill.http.HttpConfig;
import io.tidemill.http.RawClient;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.RunningServer;
import io.tidemill.observe.Metrics;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.TraceParent;
import io.tidemill.observe.Traces;
import io.tidemill.service.Unavailable;
import io.tidemill.support.Nginx;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public class HttpServerIT {
  private RunningServer server;

  @BeforeAll
  void start() {
    server =
        RunningServer.with(
            Route.get("/things/{id}", r -> Response.ok(Map.of("id", r.pathParam("id")))),
            Route.get("/things/special", _ -> Response.text(200, "special")),
            Route.get("/files/{path...}", r -> Response.text(200, r.pathParam("path"))),
            Route.get("/query", r -> Response.ok(r.queryAll("q"))),
            Route.post("/echo", r -> new Response.Body(200, "text/plain", r.body(), Map.of())),
            Route.get(
                "/broken",
                _ -> {
                  throw new IllegalStateException("secret detail");
                }),
            Route.get(
                "/down",
                _ -> {
                  throw new Unavailable("redis is down", Duration.ofMillis(1500));
                }),
            Route.get(
                "/long",
                _ ->
                    new Response.Stream(
                        "text/plain",
                        out -> {
                          for (var i = 0; i < 3_000; i++) out.write("0123456789".getBytes(UTF_8));
                        },
                        Map.of())),
            Route.get("/events", _ -> Response.events(out -> out.event("1", "tick", "one"))),
            Route.get("/page", _ -> own(Response.text(200, "x"))),
            Route.get("/page/stream", _ -> own(new Response.Stream("text/css", _ -> {}, Map.of()))),
            Route.get(
                "/trace", _ -> Response.text(200, Traces.current().orElseThrow().toString())));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @Test
  void answersWithThePathParameterDecoded() {
    assertThat(server.get("/things/a%20b%2Fc").body()).isEqualTo("{\"id\":\"a b/c\"}");
    assertThat(server.get("/things/%C3%A9").body()).isEqualTo("{\"id\":\"é\"}");
  }

  @Test
  void prefersThePlainSegmentOverTheParameter() {
    assertThat(server.get("/things/special").body()).isEqualTo("special");
    assertThat(server.get("/files/a/b.js").body()).isEqualTo("a/b.js");
  }

  @Test
  void refusesPathsThatAreNotCleanlyEncoded() throws Exception {
    for (var path :
        List.of(
            "/things/%zz",
            "/things/%4",
            "/things/%ff",
            "/things/%00",
            "/files/..%2f..",
            "/files/../x",
            "/files/%2e%2e/x")) {
      try (var raw = server.raw()) {
        raw.say("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        var answer = raw.rest();
        if (path.contains("%2f")) {
          assertThat(answer).as(path).startsWith("HTTP/1.1 200"); // one segment, no way up
        } else {
          assertProblem(answer, 400);
        }
      }
    }
  }

  @Test
  void answersHttp10AsProxiesSpeakIt() throws Exception {
    var body =
        tenZero("GET /things/7 HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n");
    assertThat(body).startsWith("HTTP/1.1 200").endsWith("{\"id\":\"7\"}\n");
    assertThat(body)
        .containsIgnoringCase("content-length:")
        .containsIgnoringCase("connection: close");

    var post =
        tenZero(
            "POST /echo HTTP/1.0\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Expect: 100-continue\r\nContent-Length: 5\r\n\r\n12345");
    assertThat(post).startsWith("HTTP/1.1 200").endsWith("\n12345\n");
    assertThat(tenZero("HEAD /things/7 HTTP/1.0\r\nHost: localhost\r\n\r\n"))
        .startsWith("HTTP/1.1 200");
    assertProblem(tenZero("GET /nowhere HTTP/1.0\r\nHost: localhost\r\n\r\n"), 404);
  }

  @Test
  void answersHttp10WithoutHostAsHealthChecksSendIt() throws Exception {
    assertThat(tenZero("GET /things/7 HTTP/1.0\r\n\r\n")).startsWith("HTTP/1.1 200");
  }

  @Test
  void sendsNoChunksToHttp10() throws Exception {
    var stream = tenZero("GET /long HTTP/1.0\r\nHost: localhost\r\n\r\n");
    assertThat(stream).doesNotContainIgnoringCase("transfer-encoding");
    assertThat(stream).endsWith("\n\n" + "0123456789".repeat(3_000) + "\n");

    var events = tenZero("GET /events HTTP/1.0\r\nHost: localhost\r\n\r\n");
    assertThat(events).doesNotContainIgnoringCase("transfer-encoding").contains("data: one\n");
    assertThat(events.substring(events.indexOf("\n\n") + 2))
        .doesNotContainPattern("(?m)^[0-9a-f]+$");
  }

  @Test
  void worksBehindNginxAsItIsConfiguredByDefault(@TempDir Path folder) throws Exception {
    try (var nginx = Nginx.before(server.server.port(), folder);
        var client = HttpClient.newHttpClient()) {
      for (var path : List.of("/things/7", "/long", "/events")) {
        var answer =
            client.send(
                HttpRequest.newBuilder(URI.create(nginx.url() + path)).build(),
                BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(path).isEqualTo(200);
        assertThat(answer.body()).as(path).isEqualTo(server.get(path).body());
      }
    }
  }

  /// Says it in two parts, cut in the request line.
  private String tenZero(String request) throws Exception {
    try (var raw = server.raw()) {
      raw.say(request.substring(0, 6));
      raw.say(request.substring(6));
      return raw.rest();
    }
  }

  @Test
  void refusesABrokenQuery() {
    assertThat(server.get("/query?q=a%20b&q=c+d").body()).isEqualTo("[\"a b\",\"c d\"]");
    try (var raw = server.raw()) {
      raw.say("GET /query?q=%f HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      assertProblem(raw.rest(), 400);
    } catch (java.io.IOException failed) {
      throw new AssertionError(failed);
    }
  }

  @Test
  void answersUnknownPathsAndWrongMethodsWithProblems() {
    var unknown = server.get("/nowhere");
    assertThat(unknown.statusCode()).isEqualTo(404);
    assertThat(unknown.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(unknown.body()).contains("\"type\":\"about:blank\"", "\"status\":404");

    var wrong = server.post("/things/1", "");
    assertThat(wrong.statusCode()).isEqualTo(405);
    assertThat(wrong.headers().firstValue("Allow")).contains("GET, HEAD, OPTIONS");
  }

  @Test
  void answersHeadLikeGetWithoutABody() throws Exception {
    try (var raw = server.raw()) {
      raw.say("HEAD /things/special HTTP/1.1\r\nHost: localhost\r\n\r\n");
      raw.say("GET /things/special HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      var answer = raw.rest();
      assertThat(answer).containsIgnoringCase("content-length: 7").containsOnlyOnce("special");
      assertThat(answer.split("HTTP/1.1 200", -1)).hasSize(3);
    }
  }

  @Test
  void hidesTheCauseOfAFailureBehindAnErrorId() {
    var answer = server.get("/broken");

    assertThat(answer.statusCode()).isEqualTo(500);
    assertThat(answer.body()).containsPattern("\"errorId\":\"[0-9a-f-]{36}\"");
    assertThat(answer.body()).doesNotContain("secret", "Exception", "io.tidemill", "\tat ");
  }

  @Test
  void answersUnavailableWithWhenToTryAgain() {
    var answer = server.get("/down");

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.headers().firstValue("Retry-After")).contains("2");
    assertThat(answer.body()).contains("redis is down");
  }

  @Test
  void sendsSecurityHeadersThatARouteMayOverride() {
    for (var path : List.of("/things/1", "/nowhere", "/broken")) {
      var headers = server.get(path).headers();
      assertThat(headers.firstValue("X-Content-Type-Options")).contains("nosniff");
      assertThat(headers.firstValue("X-Frame-Options")).contains("DENY");
      assertThat(headers.firstValue("Referrer-Policy")).contains("no-referrer");
      assertThat(headers.firstValue("Cross-Origin-Resource-Policy")).contains("same-origin");
      assertThat(headers.firstValue("Cache-Control")).contains("no-store");
      assertThat(headers.firstValue("Content-Security-Policy"))
          .contains("default-src 'none'; frame-ancestors 'none'");
    }
    for (var path : List.of("/page", "/page/stream")) {
      var headers = server.get(path).headers();
      assertThat(headers.allValues("Content-Security-Policy")).containsExactly("script-src 'self'");
      assertThat(headers.allValues("Cache-Control")).containsExactly("max-age=60");
      assertThat(headers.firstValue("X-Frame-Options")).contains("DENY");
    }
  }

  private static Response own(Response response) {
    return response
        .withHeader("content-security-policy", "script-src 'self'")
        .withHeader("cache-control", "max-age=60");
  }

  @Test
  void runsEachRequestInASpanOfTheCallersTrace() {
    var parent = TraceParent.random();

    var answer = server.get("/trace", "traceparent", parent.toString());

    var span = TraceParent.parse(answer.body()).orElseThrow();
    assertThat(span.traceId()).isEqualTo(parent.traceId());
    assertThat(span.spanId()).isNotEqualTo(parent.spanId());
    assertThat(answer.headers().firstValue("traceparent")).contains(answer.body());
    assertThat(server.get("/trace", "traceparent", "rubbish").statusCode()).isEqualTo(200);
  }

  @Test
  void countsRequestsByPatternAndNeverByPath() {
    server.get("/things/very-special-id");
    server.get("/nowhere/very-special-id");

    var metrics = server.get("/metrics");
    assertThat(metrics.headers().firstValue("Content-Type")).contains(Metrics.CONTENT_TYPE);
    assertThat(metrics.body())
        .containsPattern(
            "http_server_requests_seconds_count\\{method=\"GET\",route=\"/things/\\{id}\"")
        .contains("route=\"unknown\"", "jvm_memory_used_bytes", "process_uptime")
        .doesNotContain("very-special-id");
  }

  @Test
  void readsBodiesOfAnyFraming() {
    assertThat(server.post("/echo", "{}", "Content-Type", "application/json").body())
        .isEqualTo("{}");
    var chunked =
        BodyPublishers.ofInputStream(
            () -> new java.io.ByteArrayInputStream("chunks".getBytes(StandardCharsets.UTF_8)));
    assertThat(server.send("POST", "/echo", chunked).body()).isEqualTo("chunks");
  }

  @Test
  void wantsJsonInBodiesThatNameTheirType() {
    assertThat(server.post("/echo", "a=b", "Content-Type", "text/plain").statusCode())
        .isEqualTo(415);
    assertThat(
            server
                .post("/echo", "{}", "Content-Type", "application/ld+json; charset=utf-8")
                .statusCode())
        .isEqualTo(200);
    assertThat(server.post("/echo", "{}").statusCode()).isEqualTo(200);
  }

  @Test
  void acceptsTheDefaultContentTypeOfCurl() {
    var curl = server.post("/echo", "{}", "Content-Type", "application/x-www-form-urlencoded");

    assertThat(curl.statusCode()).isEqualTo(200);
  }

  @Test
  void finishesTheRequestInFlightWhenItStops() throws Exception {
    var entered = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    try (var slow =
        RunningServer.with(
            Route.get(
                "/slow",
                _ -> {
                  entered.countDown();
                  release.await();
                  return Response.text(200, "finished");
                }))) {
      var answer = CompletableFuture.supplyAsync(() -> slow.get("/slow"));
      entered.await();
      var url = slow.server.port();
      var stopped = CompletableFuture.runAsync(slow.server::stop);
      await().until(() -> refuses(url));

      release.countDown();

      assertThat(answer.join().body()).isEqualTo("finished");
      stopped.join();
    }
  }

  @Test
  void refusesToListenToTheWorldWithoutKeys() {
    var d = RunningServer.DEFAULTS;
    var open =
        new HttpConfig(
            "0.0.0.0",
            0,
            d.maxBody(),
            d.readTimeout(),
            d.idleTimeout(),
            9,
            List.of(),
            List.of(),
            d.sseStall(),
            "",
            "");
    try (var metrics = new Metrics();
        var traces = new Traces(ObserveConfig.standard())) {
      var worldwide =
          new HttpServer(
              open,
              RunningServer.api(List.of()),
              List.of(),
              metrics,
              traces,
              InstantSource.system());

      assertThatThrownBy(worldwide::start)
          .isInstanceOf(SettingsException.class)
          .hasMessage(
              "http.host is 0.0.0.0 and api.keys is empty: that would let anybody in; "
                  + "set api.keys, or http.host to 127.0.0.1");
    }
  }

  @Test
  void saysWhichPortIsTaken() {
    var d = RunningServer.DEFAULTS;
    var taken =
        new HttpConfig(
            d.host(),
            server.server.port(),
            d.maxBody(),
            d.readTimeout(),
            d.idleTimeout(),
            9,
            List.of(),
            List.of(),
            d.sseStall(),
            "",
            "");

    assertThatThrownBy(() -> RunningServer.with(taken))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("http.port is " + server.server.port());
  }

  private static boolean refuses(int port) {
    try (var _ = new RawClient(port)) {
      return false;
    } catch (java.io.UncheckedIOException | java.io.IOException _) {
      return true;
    }
  }

  public static void assertProblem(String answer, int status) {
    assertThat(answer).startsWith("HTTP/1.1 " + status).contains("\"status\":" + status);
    assertThat(RawClient.headers(answer))
        .containsIgnoringCase("content-type: application/problem+json");
    assertThat(answer).doesNotContain("Exception", "io.helidon", "\tat ");
  }
}
