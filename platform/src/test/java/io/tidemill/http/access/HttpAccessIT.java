package io.tidemill.http.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.RunningServer;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class HttpAccessIT {
  private static final String KEY = "correct horse";

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-01-04T01:09:27Z"));
  private final Route keyed = Route.get("/keyed", _ -> Response.text(200, "in"));
  private final Route open = Route.get("/open", _ -> Response.text(200, "in")).open();
  private final Route change = Route.post("/change", _ -> Response.noContent());

  @Test
  void letsHoldersOfAKeyInByEitherHeader() {
    try (var server = RunningServer.keyed(KEY, now::get, keyed, open)) {
      assertThat(server.get("/keyed", "Authorization", "Bearer " + KEY).statusCode())
          .isEqualTo(200);
      assertThat(server.get("/keyed", "X-Api-Key", KEY).statusCode()).isEqualTo(200);
      assertThat(server.get("/open").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void keepsOthersOut() {
    try (var server = RunningServer.keyed(KEY, now::get, keyed)) {
      var missing = server.get("/keyed");
      assertThat(missing.statusCode()).isEqualTo(401);
      assertThat(missing.headers().firstValue("WWW-Authenticate")).contains("Bearer");
      assertThat(missing.headers().firstValue("Content-Type")).contains("application/problem+json");
      assertThat(server.get("/keyed", "X-Api-Key", "wrong").statusCode()).isEqualTo(401);
      assertThat(server.get("/keyed", "Authorization", "Basic " + KEY).statusCode()).isEqualTo(401);
      assertThat(server.get("/metrics").statusCode()).isEqualTo(401);
    }
  }

  @Test
  void blocksAddressesThatGuess() {
    try (var server = RunningServer.keyed(KEY, now::get, keyed, open)) {
      for (int i = 0; i <= FailedAttempts.ALLOWED; i++) {
        assertThat(server.get("/keyed", "X-Api-Key", "guess" + i).statusCode()).isEqualTo(401);
      }

      var throttled = server.get("/keyed", "X-Api-Key", KEY);
      assertThat(throttled.statusCode()).isEqualTo(429);
      assertThat(throttled.headers().firstValue("Retry-After")).contains("60");
      assertThat(server.get("/open").statusCode()).isEqualTo(200);

      now.updateAndGet(instant -> instant.plus(FailedAttempts.WINDOW));
      assertThat(server.get("/keyed", "X-Api-Key", KEY).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void refusesChangesThatOtherWebPagesAskFor() {
    try (var server = RunningServer.with(change, open)) {
      assertThat(server.post("/change", "", "Origin", "https://evil.example").statusCode())
          .isEqualTo(403);
      assertThat(server.post("/change", "", "Origin", "null").statusCode()).isEqualTo(403);
      assertThat(server.post("/change", "", "Origin", server.server.url()).statusCode())
          .isEqualTo(204);
      assertThat(server.post("/change", "").statusCode()).isEqualTo(204);
      assertThat(server.get("/open", "Origin", "https://evil.example").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void sendsNoCorsHeadersUntilAnOriginIsAllowed() {
    try (var server = RunningServer.with(open)) {
      var answer = server.get("/open", "Origin", "https://app.example");
      assertThat(answer.headers().map()).doesNotContainKey("access-control-allow-origin");
      assertThat(preflight(server, "https://app.example", "/open").statusCode()).isEqualTo(403);
    }
  }

  @Test
  void letsAllowedOriginsCall() {
    try (var server =
        RunningServer.with(RunningServer.origins("https://app.example"), change, open)) {
      var answer = server.post("/change", "", "Origin", "https://app.example");
      assertThat(answer.statusCode()).isEqualTo(204);
      assertThat(answer.headers().firstValue("Access-Control-Allow-Origin"))
          .contains("https://app.example");

      var preflight = preflight(server, "https://app.example", "/change");
      assertThat(preflight.statusCode()).isEqualTo(204);
      assertThat(preflight.headers().firstValue("Access-Control-Allow-Methods"))
          .contains("OPTIONS, POST");
      assertThat(preflight(server, "https://app.example.evil", "/change").statusCode())
          .isEqualTo(403);
      assertThat(server.post("/change", "", "Origin", "https://app.example:444").statusCode())
          .isEqualTo(403);
    }
  }

  @Test
  void wantsALoopbackNameWhileNothingElseGuardsIt() throws Exception {
    try (var server = RunningServer.with(open)) {
      assertThat(hostAnswer(server, "evil.example")).startsWith("HTTP/1.1 403");
      assertThat(hostAnswer(server, "127.0.0.1.evil.example")).startsWith("HTTP/1.1 403");
      assertThat(hostAnswer(server, "localhost:1234")).startsWith("HTTP/1.1 200");
      assertThat(hostAnswer(server, "127.0.0.1")).startsWith("HTTP/1.1 200");
      assertThat(hostAnswer(server, "[::1]:80")).startsWith("HTTP/1.1 200");
    }
    try (var server = RunningServer.keyed(KEY, now::get, open)) {
      assertThat(hostAnswer(server, "tidemill.example")).startsWith("HTTP/1.1 200");
    }
  }

  private static String hostAnswer(RunningServer server, String host) throws Exception {
    try (var raw = server.raw()) {
      return raw.say("GET /open HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
          .rest();
    }
  }

  private static java.net.http.HttpResponse<String> preflight(
      RunningServer server, String origin, String path) {
    return server.send(
        "OPTIONS",
        path,
        BodyPublishers.noBody(),
        "Origin",
        origin,
        "Access-Control-Request-Method",
        "POST");
  }
}
