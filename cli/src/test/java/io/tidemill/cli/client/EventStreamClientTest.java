package io.tidemill.cli.client;

import static io.tidemill.cli.FakeGateway.Canned.events;
import static io.tidemill.cli.FakeGateway.Canned.noContent;
import static io.tidemill.cli.FakeGateway.Canned.problem;
import static io.tidemill.cli.FakeGateway.Canned.redirect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.cli.FakeGateway;
import io.tidemill.cli.FakeGateway.Canned;
import io.tidemill.cli.terminal.CommandFailure;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.content.protocol.SseEvent;
import io.tidemill.json.Json;
import io.tidemill.testing.Corpora;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class EventStreamClientTest {
  private static final String EVENTS = "GET /events";

  private final List<SseEvent> heard = new CopyOnWriteArrayList<>();
  private final List<Duration> waits = new ArrayList<>();
  private final FakeGateway gateway = new FakeGateway();

  private final EventStreamClient.Listener listener =
      new EventStreamClient.Listener() {
        @Override
        public boolean event(SseEvent event) {
          heard.add(event);
          return !event.type().equals("done");
        }

        @Override
        public void pause(Duration wait) {
          waits.add(wait);
        }
      };

  EventStreamClientTest() throws IOException {}

  @AfterEach
  void stopTheGateway() {
    gateway.close();
  }

  @Test
  void goesOnAfterACutWhereItWas() {
    gateway.on(
        EVENTS,
        events("id: 1-0\nevent: queued\ndata: a\n\nid: 2-0\ndata: half")
            .thenCut(() -> !heard.isEmpty()),
        events("id: 2-0\nevent: running\ndata: b\n\nid: 3-0\nevent: done\ndata: c\n\n"));

    follow();

    assertThat(heard).extracting(SseEvent::data).containsExactly("a", "b", "c");
    assertThat(resumes()).containsExactly(Optional.empty(), Optional.of("1-0"));
    assertThat(waits).hasSize(1);
  }

  @Test
  void goesOnByTheIdsInTheDataWhereEventsHaveNone() { // compat.originals
    gateway.on(
        EVENTS,
        events(
            "event: hello\ndata: {\"id\":\"none\"}\n\nevent: queued\ndata: {\"id\":\"1-0\"}\n\n"));
    gateway.on(EVENTS + "?after=1-0", events("event: done\ndata: {\"id\":\"2-0\"}\n\n"));

    follow();

    assertThat(heard).extracting(SseEvent::type).containsExactly("hello", "queued", "done");
    assertThat(resumes()).containsExactly(Optional.empty(), Optional.empty());
  }

  @Test
  void goesOnAfterAnEndWithoutTerminalEvent() {
    gateway.on(
        EVENTS,
        events("id: 1-0\ndata: a\n\n"),
        events("event: hello\ndata: {}\n\n"),
        events("id: 2-0\nevent: done\ndata: b\n\n"));

    follow();

    assertThat(resumes()).containsExactly(Optional.empty(), Optional.of("1-0"), Optional.of("1-0"));
  }

  @Test
  void stopsWhenThereIsNoMore() {
    gateway.on(EVENTS, events("id: 1-0\ndata: a\n\n"), noContent());

    follow();

    assertThat(heard).hasSize(1);
    assertThat(gateway.seen()).hasSize(2);
  }

  @Test
  void hearsNothingBehindTheTerminalEvent() {
    gateway.on(EVENTS, events("event: done\ndata: a\n\ndata: late\n\n"));

    follow();

    assertThat(heard).extracting(SseEvent::data).containsExactly("a");
  }

  @Test
  void waitsLongerAfterEachFailureAndAsLongAsTheServerAsks() {
    var busy = problem(503, "starting");
    gateway.on(
        EVENTS,
        events("retry: 100\ndata: a\n\n"),
        busy,
        busy,
        busy,
        busy,
        busy,
        events("event: done\ndata: b\n\n"));

    follow();

    assertThat(waits).hasSize(6);
    assertThat(waits.getFirst()).isBetween(Duration.ofMillis(50), Duration.ofMillis(100));
    assertThat(waits.getLast()).isBetween(Duration.ofMillis(1600), Duration.ofMillis(3200));
  }

  @Test
  void givesUpInTheEnd() {
    gateway.on(EVENTS, events("data: a\n\n"), problem(503, "starting"));

    assertThatThrownBy(this::follow)
        .isInstanceOfSatisfying(
            CommandFailure.class,
            failure -> assertThat(failure.exitCode()).isEqualTo(ExitCode.UNREACHABLE));
  }

  @Test
  void refusesAnythingButAnEventStream() {
    gateway.on(EVENTS, new Canned(200, "text/html", "data: a\n\n", Map.of(), null));

    assertThatThrownBy(this::follow).hasMessageContaining("expected text/event-stream");

    assertThat(gateway.seen()).hasSize(1);
  }

  @Test
  void tellsARefusalInTheGatewaysWords() {
    gateway.on(EVENTS, problem(404, "there is no such job"));

    assertThatThrownBy(this::follow).hasMessage("there is no such job");
  }

  @Test
  void saysWhenNobodyListens() {
    var url = gateway.url();
    gateway.close();

    assertThatThrownBy(() -> follow(url, null))
        .isInstanceOfSatisfying(
            CommandFailure.class,
            failure -> assertThat(failure.exitCode()).isEqualTo(ExitCode.UNREACHABLE));
  }

  @Test
  void asksAsABrowserDoes() {
    gateway.on(EVENTS, noContent());

    follow(gateway.url(), "secret");

    var request = gateway.seen().getFirst();
    assertThat(request.header("accept")).contains("text/event-stream");
    assertThat(request.header("cache-control")).contains("no-cache");
    assertThat(request.header("authorization")).contains("Bearer secret");
  }

  @Test
  void keepsTheKeyFromOtherServers() throws IOException {
    try (var other = new FakeGateway()) {
      other.on(EVENTS, noContent());
      gateway.on(EVENTS, redirect(307, other.url() + "/events"));

      follow(gateway.url(), "secret");

      assertThat(other.seen().getFirst().header("authorization")).isEmpty();
    }
  }

  @Test
  void closesAStreamThatIsSilentForTooLong() throws IOException {
    try (var never = new PipedOutputStream();
        var silent = new ClosingStream(never);
        var _ = new SilenceLimit(Duration.ofMillis(20), silent)) {
      Awaitility.await().until(() -> silent.closed);
    }
  }

  @Test
  void behavesLikeABrowserOnEveryRecordedFact() throws IOException {
    var rows = Json.parse(Files.readAllBytes(Corpora.find("sse/sse-client-behaviour.json")));

    assertThat(rows).isNotEmpty();
    for (var row : rows) behaves(row);
  }

  private void behaves(JsonNode row) throws IOException {
    var status = row.path("status").asInt(200);
    var type = row.path("content_type").asString("text/event-stream");
    var done = "event: done\ndata: end\n\n";
    heard.clear();
    waits.clear();
    try (var server = new FakeGateway()) {
      var expected = row.path("expect").asString();
      if (status / 100 == 3) {
        server.on(EVENTS, redirect(status, "/moved")).on("GET /moved", events(done));
      } else if (row.has("body")) {
        server.on(EVENTS, events("retry: 2\n"), events(done));
      } else {
        var body = status == 204 || status == 205 ? "" : done;
        server.on(EVENTS, new Canned(status, type, body, Map.of(), null));
      }
      Optional<Throwable> failure = Optional.empty();
      try {
        follow(server.url(), null);
      } catch (CommandFailure refused) {
        failure = Optional.of(refused);
      }
      var opened = !heard.isEmpty();
      assertThat(opened).as(row.toString()).isEqualTo(!expected.startsWith("fail"));
      // 204 is how our gateway says that there is no more: closed, and no failure.
      if (!opened && status != 204) assertThat(failure).as(row.toString()).isPresent();
      if (expected.contains("Accept:"))
        assertThat(server.seen().getFirst().header("accept")).contains("text/event-stream");
      if (expected.contains("Cache-Control:"))
        assertThat(server.seen().getFirst().header("cache-control")).contains("no-cache");
      if (row.has("body")) assertThat(waits).hasSize(1);
    }
  }

  private List<Optional<String>> resumes() {
    return gateway.seen().stream().map(request -> request.header("last-event-id")).toList();
  }

  private void follow() {
    follow(gateway.url(), null);
  }

  private void follow(String url, @Nullable String key) {
    new GatewayClient(URI.create(url), key).events("/events", listener).follow();
  }

  private static final class ClosingStream extends PipedInputStream {
    volatile boolean closed;

    ClosingStream(PipedOutputStream source) throws IOException {
      super(source);
    }

    @Override
    public void close() throws IOException {
      closed = true;
      super.close();
    }
  }
}
