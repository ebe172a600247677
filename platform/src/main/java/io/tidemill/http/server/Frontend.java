package io.tidemill.http.server;

import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.tidemill.http.BasePath;
import io.tidemill.http.ProblemForm;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.access.OriginCheck;
import io.tidemill.http.access.TrustedProxies;
import io.tidemill.observe.LogContext;
import io.tidemill.observe.TraceParent;
import io.tidemill.observe.Traces;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The entry point of all requests: starts a span and a timer, calls the [RequestPipeline], writes
/// the response.
final class Frontend implements io.helidon.webserver.http.Handler {
  private static final Logger log = LoggerFactory.getLogger(Frontend.class);
  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");
  // Pages that poll every second would push out other traces: a read is recorded only when the
  // client
  // sends a sampled traceparent.
  private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS");
  private static final Duration LINGER = Duration.ofSeconds(1);
  private static final int LINGER_BYTES = 1024 * 1024;

  private final BasePath base;
  private final Router router;
  private final RequestPipeline pipeline;
  private final OriginCheck origins;
  private final TrustedProxies proxies;
  private final ProblemForm problems;
  private final ResponseWriter writer;
  private final ConnectionWatch watch;
  private final MeterRegistry registry;
  private final Traces traces;

  Frontend(
      BasePath base,
      Router router,
      RequestPipeline pipeline,
      OriginCheck origins,
      TrustedProxies proxies,
      ProblemForm problems,
      ResponseWriter writer,
      ConnectionWatch watch,
      MeterRegistry registry,
      Traces traces) {
    this.base = base;
    this.router = router;
    this.pipeline = pipeline;
    this.origins = origins;
    this.proxies = proxies;
    this.problems = problems;
    this.writer = writer;
    this.watch = watch;
    this.registry = registry;
    this.traces = traces.of("gateway");
  }

  @Override
  public void handle(ServerRequest source, ServerResponse to) {
    var timer = Timer.start(registry);
    var method = source.prologue().method().text();
    var path = base.strip(source.prologue().uriPath().rawPath());
    var match = router.match(method, path);
    var headers = headers(source);
    traces.inRequest(
        known(method) + " " + pattern(match),
        headers.get("traceparent"),
        !READS.contains(method),
        () -> {
          try (var _ = LogContext.with("trace_id", traceParent().traceId())) {
            exchange(source, to, match, headers, timer);
          }
          return "";
        });
  }

  private void exchange(
      ServerRequest source,
      ServerResponse to,
      Router.Match match,
      Map<String, String> headers,
      Timer.Sample timer) {
    var method = source.prologue().method().text();
    var extra = new LinkedHashMap<String, String>();
    extra.put("traceparent", traceParent().toString());
    var response = problems.show(answer(source, match, headers, extra));
    timer.stop(
        Timer.builder("http.server.requests")
            .tag("method", known(method))
            .tag("route", pattern(match))
            .tag("status", Integer.toString(response.status()))
            .register(registry));
    log.debug("{} {} {}", known(method), pattern(match), response.status());
    Traces.note("status", response.status());
    if (response.status() >= 500) Traces.fail("answered " + response.status());

    var unread = source.content().hasEntity() && !source.content().consumed();
    if (unread) extra.put("Connection", "close");
    writer.write(response, method.equals("HEAD"), extra, to);
    if (unread) drain(source);
    if (unread || source.headers().containsToken(HeaderValues.CONNECTION_CLOSE)) {
      close(response);
    }
  }

  private Response answer(
      ServerRequest source,
      Router.Match match,
      Map<String, String> headers,
      Map<String, String> extra) {
    Request request;
    try {
      request = request(source).withHeaders(headers);
    } catch (IllegalArgumentException bad) {
      return Response.problem(400, "the query has " + bad.getMessage());
    }
    extra.putAll(origins.corsHeaders(request));
    return base.show(pipeline.answer(request, match, source));
  }

  /// The rest of an unread body must never be read as the next request.
  private void close(Response response) {
    switch (response) {
      case Response.Body _ -> throw new CloseConnectionException("answered, and that was the last");
      // Helidon writes the end of a stream after this handler.
      case Response.Events _, Response.Stream _ -> watch.closeAfterAnswer();
    }
  }

  private Request request(ServerRequest source) {
    var prologue = source.prologue();
    var query = prologue.query().rawValue();
    var target = base.strip(prologue.uriPath().rawPath()) + (query.isEmpty() ? "" : "?" + query);
    return Request.of(prologue.method().text(), target).from(address(source));
  }

  private String address(ServerRequest source) {
    return source.remotePeer().address() instanceof java.net.InetSocketAddress inet
        ? proxies.client(
            inet.getAddress(), () -> source.headers().values(HeaderNames.X_FORWARDED_FOR))
        : source.remotePeer().host();
  }

  private static Map<String, String> headers(ServerRequest source) {
    var headers = new LinkedHashMap<String, String>();
    for (Header header : source.headers()) {
      headers.putIfAbsent(header.name().toLowerCase(Locale.ROOT), header.get());
    }
    return headers;
  }

  /// Closing with unread bytes would reset the connection before the client has the response.
  private void drain(ServerRequest source) {
    if (source.headers().contains(HeaderNames.EXPECT)) return;
    watch.linger(LINGER);
    try (var in = source.content().inputStream()) {
      in.skipNBytes(LINGER_BYTES);
    } catch (IOException | RuntimeException ended) {
      log.trace("the client sent no more", ended);
    }
  }

  private static TraceParent traceParent() {
    return Traces.current().orElseThrow();
  }

  private static String known(String method) {
    return METHODS.contains(method) ? method : "OTHER";
  }

  private static String pattern(Router.Match match) {
    return switch (match) {
      case Router.Match.Found(var route, var _) -> route.path();
      case Router.Match.WrongMethod(var path, var _) -> path;
      case Router.Match.Unknown() -> "unknown";
      case Router.Match.BadPath(var _) -> "unknown";
    };
  }
}
