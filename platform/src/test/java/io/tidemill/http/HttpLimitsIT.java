package io.tidemill.http;

import static io.tidemill.http.server.HttpServerIT.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HttpLimitsIT {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Route ECHO =
      Route.post("/echo", r -> new Response.Body(200, "text/plain", r.body(), Map.of()));

  @Test
  void answersGarbageWithAProblemOrCloses() throws Exception {
    var garbage =
        List.of(
            "\0\1\2\3\r\n\r\n",
            "GET\r\n\r\n",
            "GET / HTTP/9.9\r\n\r\n",
            "GET / HTTP/1.1\r\n\r\n", // no Host
            "GET / HTTP/1.1\r\nHost: localhost\r\nbad header\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: localhost\r\nX: a\0b\r\n\r\n",
            "G{}T / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
            "GET /" + "a".repeat(100_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + "a".repeat(100_000) + "\r\n\r\n");
    try (var server = RunningServer.with(ECHO)) {
      for (var text : garbage) {
        try (var raw = server.raw()) {
          sayAll(raw, text);
          var answer = raw.rest();
          var name = text.substring(0, Math.min(60, text.length()));
          // a long one may be cut off by the close while it is still being said
          if (text.length() < 1000) assertThat(answer).as(name).isNotEmpty();
          if (!answer.isEmpty()) {
            assertThat(answer)
                .as(name)
                .startsWith("HTTP/1.1 4")
                .contains("application/problem+json");
            assertThat(answer).as(name).doesNotContain("Exception", "io.helidon", "\tat ");
          }
        }
      }
      assertThat(server.post("/echo", "still here").body()).isEqualTo("still here");
    }
  }

  @Test
  void refusesABodyThatSaysItIsTooLargeBeforeReadingIt() throws Exception {
    try (var server = RunningServer.with(ECHO);
        var raw = server.raw()) {
      raw.say("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n");

      assertProblem(raw.rest(), 413);
    }
  }

  @Test
  void refusesAChunkedBodyOnceItIsTooLarge() throws Exception {
    try (var server = RunningServer.with(ECHO);
        var raw = server.raw()) {
      raw.say("POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
      for (int i = 0; i < 20; i++) raw.say("1000\r\n" + "a".repeat(0x1000) + "\r\n");

      assertProblem(raw.rest(), 413);
    }
  }

  @Test
  void neverTakesARefusedBodyForTheNextRequest() throws Exception {
    var hidden = "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nhit";
    for (var head :
        List.of(
            "POST /echo HTTP/1.1\r\nContent-Length: 99999\r\n",
            "POST /echo HTTP/1.1\r\nContent-Type: text/plain\r\nContent-Length: 65\r\n",
            "POST /none HTTP/1.1\r\nContent-Length: 65\r\n",
            "POST /echo HTTP/1.1\r\nTransfer-Encoding: chunked\r\n")) {
      try (var server = RunningServer.with(ECHO);
          var raw = server.raw()) {
        sayAll(raw, head + "Host: localhost\r\n\r\n" + hidden);

        assertThat(raw.rest())
            .startsWith("HTTP/1.1 4")
            .containsOnlyOnce("HTTP/1.1")
            .doesNotContain("hit");
      }
    }
  }

  @Test
  void aRouteMayHaveItsOwnLimit() {
    try (var server = RunningServer.with(ECHO.withMaxBody(10))) {
      assertThat(server.post("/echo", "0123456789").statusCode()).isEqualTo(200);
      assertThat(server.post("/echo", "0123456789A").statusCode()).isEqualTo(413);
    }
  }

  @Test
  void cutsAClientThatDripsItsHeaders() throws Exception {
    var config = RunningServer.timeouts(Duration.ofMillis(500), LONG, LONG);
    try (var server = RunningServer.with(config, ECHO);
        var raw = server.raw()) {
      raw.say("GET / HTTP/1.1\r\nHost: local");

      await().pollInterval(Duration.ofMillis(100)).until(() -> isCutWhileSaying(raw, "x"));
    }
  }

  @Test
  void cutsAClientThatDripsItsBody() throws Exception {
    var config = RunningServer.timeouts(Duration.ofMillis(500), LONG, LONG);
    try (var server = RunningServer.with(config, ECHO);
        var raw = server.raw()) {
      raw.say("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n");

      await().pollInterval(Duration.ofMillis(100)).until(() -> isCutWhileSaying(raw, "x"));
    }
  }

  @Test
  void cutsConnectionsThatSayNothing() throws Exception {
    var config = RunningServer.timeouts(LONG, Duration.ofMillis(500), LONG);
    try (var server = RunningServer.with(config, ECHO);
        var complaints = new Complaints();
        var silent = server.raw();
        var kept = server.raw()) {
      kept.say("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nok");

      assertThat(silent.rest()).isEmpty();
      assertThat(kept.rest()).startsWith("HTTP/1.1 200").endsWith("ok\n");
      assertThat(complaints.messages()).isEmpty();
    }
  }

  @Test
  void keepsAConnectionForTheNextRequest() throws Exception {
    try (var server = RunningServer.with(ECHO);
        var raw = server.raw()) {
      raw.say("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\none");
      raw.say(
          "POST /echo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 3\r\n\r\ntwo");

      assertThat(raw.rest()).contains("one", "two");
    }
  }

  private static void sayAll(RawClient raw, String text) {
    try {
      raw.say(text);
    } catch (IOException cut) {
      assertThat(cut).isNotNull(); // refused before it was all said
    }
  }

  private static boolean isCutWhileSaying(RawClient raw, String text) {
    try {
      raw.say(text);
      return false;
    } catch (IOException _) {
      return true;
    }
  }
}
