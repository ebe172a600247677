package io.tidemill.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class HttpEventsIT {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final String GET = "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n";

  private final AtomicBoolean ended = new AtomicBoolean();
  private final LinkedBlockingQueue<String> said = new LinkedBlockingQueue<>();

  /// Sends what the test says, one event each.
  private final Route relay =
      events(out -> {
        out.comment("connected");
        while (true) out.event(null, "said", said.take());
      });

  /// Never stops sending.
  private final Route flood =
      events(out -> {
        while (true) out.event(null, "flood", "x".repeat(8192));
      });

  @Test
  void theFormatReadsBackAsItWasWritten() {
    var texts =
        List.of("", "one", "two\nlines", "ends\n", "\n\n", " lead", "ünï 😀 \u2028 : data: x");
    try (var server =
        RunningServer.with(
            events(out -> {
              out.retry(Duration.ofSeconds(3));
              out.comment("hello");
              for (int i = 0; i < texts.size(); i++) out.queue("id-" + i, "text", texts.get(i));
              out.flush();
              out.event(null, "end", "{}");
            }))) {
      var answer = server.get("/events");

      assertThat(answer.headers().firstValue("Content-Type")).contains("text/event-stream");
      assertThat(answer.headers().firstValue("Cache-Control")).contains("no-cache");
      assertThat(answer.headers().firstValue("X-Accel-Buffering")).contains("no");
      assertThat(answer.headers().map()).doesNotContainKey("content-encoding");
      assertThat(answer.body()).startsWith("retry: 3000\n\n: hello\n\n");
      var events = parse(answer.body());
      assertThat(events.stream().filter(e -> e.type.equals("text")).map(e -> e.data))
          .isEqualTo(texts);
      assertThat(events.getFirst().id).isEqualTo("id-0");
      assertThat(events.getLast()).isEqualTo(new Event("", "end", "{}"));
    }
  }

  @Test
  void eachEventArrivesWhenItHappens() throws Exception {
    try (var server = RunningServer.with(relay);
        var raw = server.raw()) {
      raw.say(GET);
      raw.await("text/event-stream");
      said.add("first");
      raw.await("data: first");
      assertThat(server.get("/metrics").body()).contains("http_server_sse_streams 1.0");
      said.add("second");
      raw.await("data: second");
    }
  }

  @Test
  void aClientThatLeavesEndsTheBodyQuietly() throws Exception {
    try (var server = RunningServer.with(flood);
        var complaints = new Complaints()) {
      try (var raw = server.raw()) {
        raw.say(GET);
        raw.await("data: x");
      }
      await().untilTrue(ended);
      await().until(() -> server.get("/metrics").body().contains("http_server_sse_streams 0.0"));
      assertThat(complaints.messages()).isEmpty();
    }
  }

  @Test
  void aClientThatStopsReadingIsCut() throws Exception {
    var config = RunningServer.timeouts(LONG, LONG, Duration.ofMillis(500));
    try (var server = RunningServer.with(config, flood);
        var complaints = new Complaints();
        var raw = server.raw()) {
      raw.say(GET);
      raw.await("data: x");

      await().untilTrue(ended);
      assertThat(complaints.messages()).isEmpty();
      assertThat(raw.rest()).doesNotEndWith("0\n\n");
    }
  }

  @Test
  void stoppingEndsQuietAndStalledStreamsAtOnce() throws Exception {
    var waiting = new CountDownLatch(1);
    try (var server =
            RunningServer.with(
                events(out -> {
                  out.event(null, "hello", "{}");
                  waiting.countDown();
                  new CountDownLatch(1).await();
                }),
                Route.get("/flood", flood.handler()));
        var quiet = server.raw();
        var stalled = server.raw()) {
      quiet.say(GET);
      stalled.say(GET.replace("/events", "/flood"));
      stalled.await("data: x");
      waiting.await();

      var begun = System.nanoTime();
      server.server.stop();

      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(8));
      assertThat(quiet.rest()).contains("event: hello").endsWith("0\n\n");
    }
  }

  private Route events(SseBody body) {
    return Route.get(
        "/events",
        _ ->
            Response.events(out -> {
              try {
                body.writeTo(out);
              } finally {
                ended.set(true);
              }
            }));
  }

  private record Event(String id, String type, String data) {}

  /// The parser of the HTML standard, as far as it goes here.
  private static List<Event> parse(String stream) {
    var events = new ArrayList<Event>();
    var id = "";
    var type = "";
    var data = new ArrayList<String>();
    for (var line : stream.split("\n", -1)) {
      if (line.isEmpty()) {
        if (!data.isEmpty()) events.add(new Event(id, type, String.join("\n", data)));
        id = "";
        type = "";
        data.clear();
      } else if (line.startsWith("id: ")) {
        id = line.substring(4);
      } else if (line.startsWith("event: ")) {
        type = line.substring(7);
      } else if (line.startsWith("data: ")) {
        data.add(line.substring(6));
      }
    }
    return events;
  }
}
