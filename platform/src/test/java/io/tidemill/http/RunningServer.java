package io.tidemill.http;

import io.tidemill.config.ByteSize;
import io.tidemill.http.access.ApiConfig;
import io.tidemill.http.access.ApiKeys;
import io.tidemill.http.access.SessionRoutes;
import io.tidemill.http.server.HttpServer;
import io.tidemill.http.server.MetricsRoutes;
import io.tidemill.observe.AuditEntry;
import io.tidemill.observe.Metrics;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.Traces;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A real server on a free port, and the shortest ways to talk to it.
public final class RunningServer implements AutoCloseable {
  public static final HttpConfig DEFAULTS =
      new HttpConfig(
          "127.0.0.1",
          0,
          ByteSize.ofKib(64),
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          256,
          List.of(),
          List.of(),
          Duration.ofSeconds(30),
          "",
          "");

  final Metrics metrics = new Metrics();
  public final List<AuditEntry> audit = new CopyOnWriteArrayList<>();
  public final HttpServer server;
  private final HttpClient client = HttpClient.newHttpClient();

  private RunningServer(HttpConfig config, ApiConfig api, InstantSource clock, Route... routes) {
    var traces = new Traces(ObserveConfig.standard());
    var keys = new ApiKeys(api, clock);
    List<Routes> parts =
        List.of(
            () -> List.of(routes), new MetricsRoutes(metrics), new SessionRoutes(keys, "0.1.0"));
    server = new HttpServer(config, keys, audit::add, parts, ProblemForm.STANDARD, metrics, traces);
    server.start();
  }

  public static ApiConfig api(List<String> keys) {
    return new ApiConfig(keys, false, Duration.ofDays(7), Duration.ofDays(30), 1_000);
  }

  public static RunningServer with(Route... routes) {
    return new RunningServer(DEFAULTS, api(List.of()), InstantSource.system(), routes);
  }

  public static RunningServer with(HttpConfig config, Route... routes) {
    return new RunningServer(config, api(List.of()), InstantSource.system(), routes);
  }

  public static RunningServer keyed(String key, InstantSource clock, Route... routes) {
    return new RunningServer(DEFAULTS, api(List.of("another", key)), clock, routes);
  }

  public static RunningServer with(
      HttpConfig config, ApiConfig api, InstantSource clock, Route... routes) {
    return new RunningServer(config, api, clock, routes);
  }

  static HttpConfig timeouts(Duration read, Duration idle, Duration stall) {
    return config(read, idle, List.of(), List.of(), stall);
  }

  public static HttpConfig origins(String... origins) {
    var d = DEFAULTS;
    return config(d.readTimeout(), d.idleTimeout(), List.of(origins), List.of(), d.sseStall());
  }

  public static HttpConfig behind(String... proxies) {
    var d = DEFAULTS;
    return config(d.readTimeout(), d.idleTimeout(), List.of(), List.of(proxies), d.sseStall());
  }

  /// Behind a proxy that shows it under a path.
  public static HttpConfig under(String path) {
    var d = DEFAULTS;
    return new HttpConfig(
        d.host(),
        d.port(),
        d.maxBody(),
        d.readTimeout(),
        d.idleTimeout(),
        d.maxConnections(),
        d.corsOrigins(),
        d.trustedProxies(),
        d.sseStall(),
        path,
        "");
  }

  private static HttpConfig config(
      Duration read, Duration idle, List<String> origins, List<String> proxies, Duration stall) {
    var d = DEFAULTS;
    return new HttpConfig(
        d.host(),
        d.port(),
        d.maxBody(),
        read,
        idle,
        d.maxConnections(),
        origins,
        proxies,
        stall,
        "",
        "");
  }

  public HttpResponse<String> get(String path, String... headers) {
    return send("GET", path, BodyPublishers.noBody(), headers);
  }

  public HttpResponse<String> post(String path, String body, String... headers) {
    return send("POST", path, BodyPublishers.ofString(body), headers);
  }

  public HttpResponse<String> send(
      String method, String path, HttpRequest.BodyPublisher body, String... headers) {
    var request = HttpRequest.newBuilder(URI.create(server.url() + path)).method(method, body);
    if (headers.length > 0) request.headers(headers);
    try {
      return client.send(request.timeout(Duration.ofSeconds(20)).build(), BodyHandlers.ofString());
    } catch (IOException failed) {
      throw new IllegalStateException(method + " " + path, failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  public RawClient raw() {
    return new RawClient(server.port());
  }

  @Override
  public void close() {
    server.stop();
    metrics.close();
    client.close();
  }
}
