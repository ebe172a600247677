package io.tidemill.http.server;

import io.helidon.common.socket.SocketOptions;
import io.helidon.http.encoding.ContentEncodingContext;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.tidemill.config.SettingsException;
import io.tidemill.http.BasePath;
import io.tidemill.http.HttpConfig;
import io.tidemill.http.Loopback;
import io.tidemill.http.ProblemForm;
import io.tidemill.http.Routes;
import io.tidemill.http.SseStreams;
import io.tidemill.http.access.AccessControl;
import io.tidemill.http.access.ApiConfig;
import io.tidemill.http.access.ApiKeys;
import io.tidemill.http.access.AuditReporter;
import io.tidemill.http.access.OriginCheck;
import io.tidemill.http.access.TrustedProxies;
import io.tidemill.observe.AuditTrail;
import io.tidemill.observe.Metrics;
import io.tidemill.observe.Traces;
import io.tidemill.service.Service;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Serves routes over HTTP/1.1. Its stop finishes requests in flight and ends event streams.
public final class HttpServer implements Service {
  private static final Logger log = LoggerFactory.getLogger(HttpServer.class);
  private static final Duration FINISH_WITHIN = Duration.ofSeconds(10);

  private final HttpConfig config;
  private final ApiKeys keys;
  private final SseStreams streams;
  private final ConnectionWatch watch = new ConnectionWatch();
  private final Frontend frontend;
  private volatile @Nullable WebServer server;

  /// A server without audit trail.
  public HttpServer(
      HttpConfig config,
      ApiConfig api,
      List<? extends Routes> routes,
      Metrics metrics,
      Traces traces,
      InstantSource clock) {
    this(config, api, routes, ProblemForm.STANDARD, metrics, traces, clock);
  }

  /// The same with problem documents in another form.
  public HttpServer(
      HttpConfig config,
      ApiConfig api,
      List<? extends Routes> routes,
      ProblemForm problems,
      Metrics metrics,
      Traces traces,
      InstantSource clock) {
    this(config, new ApiKeys(api, clock), AuditTrail.NONE, routes, problems, metrics, traces);
  }

  public HttpServer(
      HttpConfig config,
      ApiKeys keys,
      AuditTrail audit,
      List<? extends Routes> routes,
      ProblemForm problems,
      Metrics metrics,
      Traces traces) {
    this.config = config;
    this.keys = keys;
    this.streams = new SseStreams(metrics.registry());
    var origins = new OriginCheck(config, !keys.required());
    this.frontend =
        new Frontend(
            new BasePath(config.basePath()),
            new Router(routes.stream().flatMap(part -> part.routes().stream()).toList()),
            new RequestPipeline(config, origins, new AccessControl(keys), new AuditReporter(audit)),
            origins,
            new TrustedProxies(config.trustedProxies()),
            problems,
            new ResponseWriter(streams),
            watch,
            metrics.registry(),
            traces);
  }

  @Override
  public String name() {
    return "http";
  }

  /// Refuses settings without any access control.
  public static void check(HttpConfig config, ApiConfig api) {
    check(config, !api.keys().isEmpty());
  }

  private static void check(HttpConfig config, boolean keyed) {
    if (!keyed && !Loopback.isName(config.host())) {
      throw new SettingsException(
          "http.host is %s and api.keys is empty: that would let anybody in; set api.keys, or http.host to 127.0.0.1"
              .formatted(config.host()));
    }
  }

  @Override
  public synchronized void start() {
    check(config, keys.required());
    if (!keys.shortKeys().isEmpty()) {
      log.warn("api.keys: the keys of {} are short and can be guessed", keys.shortKeys());
    }
    streams.start();
    watch.start();
    var created = create().start();
    if (!created.isRunning()) { // Helidon only logs that it could not bind
      watch.stop();
      throw new SettingsException(
          "http.port is %d: can not listen on %s, is the port taken?"
              .formatted(config.port(), config.host()));
    }
    server = created;
  }

  @Override
  public synchronized void stop() {
    var running = server;
    if (running == null) return;
    streams.stop();
    running.stop();
    watch.stop();
    server = null;
  }

  /// The port it listens on.
  public int port() {
    var running = server;
    if (running == null) throw new IllegalStateException("http has not started");
    return running.port();
  }

  /// The URL for clients on this machine.
  public String url() {
    var host =
        config.host().equals("0.0.0.0") || config.host().equals("::") ? "127.0.0.1" : config.host();
    return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port();
  }

  private WebServer create() {
    return WebServer.builder()
        .bindAddress(new InetSocketAddress(config.host(), config.port()))
        .shutdownHook(false)
        .shutdownGracePeriod(FINISH_WITHIN)
        .maxTcpConnections(config.maxConnections())
        .idleConnectionTimeout(config.idleTimeout())
        .maxPayloadSize(-1) // each route has its own limit
        .connectionOptions(SocketOptions.builder().tcpNoDelay(true).build())
        .contentEncoding(
            ContentEncodingContext.builder().contentEncodingsDiscoverServices(false).build())
        .protocolsDiscoverServices(false) // one selector: no byte is read without a deadline
        .addConnectionSelector(new WatchedSelector(watch, config))
        .directHandlers(ProblemAnswers.all())
        .featuresDiscoverServices(false)
        .addRouting(HttpRouting.builder().any(frontend))
        .build();
  }
}
