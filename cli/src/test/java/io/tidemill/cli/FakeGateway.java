package io.tidemill.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/// A real HTTP server that answers each path with what a test lined up for it, in order; the last
/// answer stays.
public final class FakeGateway implements AutoCloseable {
  /// @param cut when the connection breaks after the body instead of ending; null for never
  public record Canned(
      int status,
      String contentType,
      String body,
      Map<String, String> headers,
      @Nullable BooleanSupplier cut) {
    public static Canned json(int status, String body) {
      return new Canned(status, "application/json", body, Map.of(), null);
    }

    public static Canned problem(int status, String detail) {
      return new Canned(
          status,
          "application/problem+json",
          "{\"status\":%d,\"detail\":\"%s\"}".formatted(status, detail),
          Map.of(),
          null);
    }

    public static Canned events(String body) {
      return new Canned(200, "text/event-stream", body, Map.of(), null);
    }

    public static Canned noContent() {
      return new Canned(204, "text/event-stream", "", Map.of(), null);
    }

    public static Canned redirect(int status, String location) {
      return new Canned(status, "text/plain", "", Map.of("Location", location), null);
    }

    Canned thenCut() {
      return thenCut(() -> true);
    }

    /// Java's client forgets what it has not handed over when the connection breaks: `seen` is when
    /// it has.
    public Canned thenCut(BooleanSupplier seen) {
      return new Canned(status, contentType, body, headers, seen);
    }
  }

  /// @param headers by lower-case name
  public record Seen(String method, String path, Map<String, String> headers, String body) {
    public Optional<String> header(String name) {
      return Optional.ofNullable(headers.get(name));
    }
  }

  private final HttpServer server;
  private final Map<String, Queue<Canned>> answers = new ConcurrentHashMap<>();
  private final List<Seen> seen = new CopyOnWriteArrayList<>();

  public FakeGateway() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  public FakeGateway on(String request, Canned... canned) {
    answers.computeIfAbsent(request, _ -> new ConcurrentLinkedQueue<>()).addAll(List.of(canned));
    return this;
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /// What was asked, in order.
  public List<Seen> seen() {
    return seen;
  }

  public List<Seen> seen(String path) {
    return seen.stream().filter(request -> request.path().equals(path)).toList();
  }

  private void answer(HttpExchange exchange) throws IOException {
    var headers = new ConcurrentHashMap<String, String>();
    exchange
        .getRequestHeaders()
        .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
    var path = exchange.getRequestURI().toString();
    var body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    seen.add(new Seen(exchange.getRequestMethod(), path, headers, body));

    var lined = answers.getOrDefault(exchange.getRequestMethod() + " " + path, new ArrayDeque<>());
    var canned = lined.size() > 1 ? lined.poll() : lined.peek();
    send(exchange, canned == null ? Canned.problem(404, "nothing at " + path) : canned);
  }

  private static void send(HttpExchange exchange, Canned canned) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", canned.contentType());
    canned.headers().forEach(exchange.getResponseHeaders()::set);
    var bytes = canned.body().getBytes(UTF_8);
    if (bytes.length == 0) {
      exchange.sendResponseHeaders(canned.status(), -1);
      exchange.close();
      return;
    }
    var cut = canned.cut();
    // Promising more than is sent is how a connection looks that breaks.
    exchange.sendResponseHeaders(canned.status(), cut != null ? bytes.length + 99 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.getResponseBody().flush();
    if (cut != null) Awaitility.await().until(cut::getAsBoolean);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
