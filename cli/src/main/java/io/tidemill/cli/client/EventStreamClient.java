package io.tidemill.cli.client;

import io.tidemill.cli.terminal.CommandFailure;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.content.protocol.SseEvent;
import io.tidemill.content.protocol.SseParser;
import io.tidemill.json.Json;
import io.tidemill.work.Backoff;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/// Follows an event stream over HTTP and over broken connections: no gap, no repeat.
final class EventStreamClient {
  /// What hears the events.
  interface Listener {
    /// One event, in order.
    ///
    /// @return whether to go on
    boolean event(SseEvent event);

    /// The connection was lost; the next attempt follows after this wait.
    default void broken(Duration wait) {}

    /// Waits; a test need not.
    default void pause(Duration wait) throws InterruptedException {
      Thread.sleep(wait);
    }
  }

  private static final Duration FIRST_WAIT = Duration.ofSeconds(1);
  // Somebody watches: what is back should be seen soon, unless the server asks for more.
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);
  private static final Duration LONGEST_ASKED = Duration.ofSeconds(60);
  private static final Duration SILENCE_LIMIT = Duration.ofSeconds(90);
  private static final Duration HEADERS_LIMIT = Duration.ofSeconds(30);
  private static final Pattern EVENT_ID = Pattern.compile("\\d+-\\d+");
  private static final int MOST_FAILURES = 60;
  private static final int MOST_REDIRECTS = 5;
  private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);
  // What a gateway or a proxy before it answers while it restarts.
  private static final Set<Integer> PASSING = Set.of(429, 502, 503, 504);

  private final HttpClient http;
  private final URI uri;
  private final @Nullable String key;
  private final Listener listener;
  private String lastEventId = "";
  // With `compat.originals` a job's events have their ids only there.
  private String lastInData = "";
  private Duration retry = FIRST_WAIT;
  private boolean opened;
  private boolean enough;
  private int failures;

  EventStreamClient(HttpClient http, URI uri, @Nullable String key, Listener listener) {
    this.http = http;
    this.uri = uri;
    this.key = key;
    this.listener = listener;
  }

  /// Returns when the listener has enough, or the server says that there is no more.
  void follow() {
    try {
      while (!isOver()) {
        if (++failures > MOST_FAILURES) {
          throw new CommandFailure(
              ExitCode.UNREACHABLE, "the connection to " + uri.getAuthority() + " stays broken");
        }
        var most = longer(retry, LONGEST_WAIT);
        var wait = new Backoff(retry, most).after(failures, ThreadLocalRandom.current());
        listener.broken(wait);
        listener.pause(wait);
      }
    } catch (InterruptedException interrupt) {
      throw CommandFailure.interrupted(interrupt);
    }
  }

  // One connection, from its start to whatever ends it.
  private boolean isOver() throws InterruptedException {
    try {
      var response = open();
      try (var body = response.body()) {
        if (response.statusCode() == 204) return true;
        if (opened && PASSING.contains(response.statusCode())) return false;
        check(response);
        opened = true;
        read(body);
      }
    } catch (IOException broken) {
      if (!opened) throw GatewayClient.unreachable(uri, broken);
    }
    return enough;
  }

  private void read(InputStream body) throws IOException {
    var parser = new SseParser(lastEventId, this::hear);
    var buffer = new byte[8192];
    try (var silence = new SilenceLimit(SILENCE_LIMIT, body)) {
      int length;
      while (!enough && (length = body.read(buffer)) >= 0) {
        silence.heard();
        parser.feed(buffer, length);
      }
    } finally {
      lastEventId = parser.lastEventId();
      parser.retry().ifPresent(wait -> retry = shorter(wait, LONGEST_ASKED));
    }
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) > 0 ? a : b;
  }

  private void hear(SseEvent event) {
    failures = 0;
    if (event.lastEventId().isEmpty()) idInData(event).ifPresent(id -> lastInData = id);
    // A piece may hold more events than are wanted.
    if (!enough) enough = !listener.event(event);
  }

  private static Optional<String> idInData(SseEvent event) {
    try {
      var id = Json.parse(event.data()).path("id").asString("");
      return Optional.of(id).filter(text -> EVENT_ID.matcher(text).matches());
    } catch (JacksonException notOurs) {
      return Optional.empty();
    }
  }

  private HttpResponse<InputStream> open() throws IOException, InterruptedException {
    var target = resumed();
    for (int hops = 0; ; hops++) {
      var response = http.send(request(target), BodyHandlers.ofInputStream());
      var location = response.headers().firstValue("Location");
      if (!REDIRECTS.contains(response.statusCode()) || location.isEmpty()) return response;
      response.body().close();
      if (hops == MOST_REDIRECTS) throw new IOException("too many redirects");
      target = redirected(target, location.get());
    }
  }

  private URI resumed() {
    if (!lastEventId.isEmpty() || lastInData.isEmpty()) return uri;
    return URI.create(uri + (uri.getRawQuery() == null ? "?" : "&") + "after=" + lastInData);
  }

  private static URI redirected(URI from, String location) throws IOException {
    try {
      return from.resolve(location);
    } catch (IllegalArgumentException notAUri) {
      throw new IOException("a redirect to nowhere", notAUri);
    }
  }

  private HttpRequest request(URI target) {
    var request =
        HttpRequest.newBuilder(target)
            .timeout(HEADERS_LIMIT)
            .header("Accept", "text/event-stream")
            .header("Cache-Control", "no-cache");
    // Another server than the one it was given for must not see the key.
    if (key != null && isSameOrigin(target)) request.header("Authorization", "Bearer " + key);
    if (!lastEventId.isEmpty() && isAscii(lastEventId)) {
      request.header("Last-Event-ID", lastEventId);
    }
    return request.GET().build();
  }

  private boolean isSameOrigin(URI target) {
    return Objects.equals(target.getScheme(), uri.getScheme())
        && Objects.equals(target.getAuthority(), uri.getAuthority());
  }

  // The JDK's client can send nothing else; our gateway's ids are nothing else.
  private static boolean isAscii(String id) {
    return id.chars().allMatch(c -> c >= ' ' && c <= '~');
  }

  private void check(HttpResponse<InputStream> response) throws IOException {
    var type = response.headers().firstValue("Content-Type").orElse("");
    if (response.statusCode() != 200) throw refused(response);
    if (!type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals("text/event-stream")) {
      throw new CommandFailure(
          ExitCode.FAILED,
          "%s answered with '%s': expected text/event-stream".formatted(uri.getAuthority(), type));
    }
  }

  private static CommandFailure refused(HttpResponse<InputStream> response) throws IOException {
    try {
      var body = Json.parse(response.body().readNBytes(65_536));
      return GatewayClient.refused(new GatewayClient.Answer(response.statusCode(), body));
    } catch (JacksonException notJson) {
      return new CommandFailure(
          ExitCode.FAILED, "the gateway answered " + response.statusCode(), notJson);
    }
  }
}
