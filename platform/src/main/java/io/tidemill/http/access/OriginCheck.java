package io.tidemill.http.access;

import io.tidemill.http.HttpConfig;
import io.tidemill.http.Loopback;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Refuses requests of other web pages: cross-site requests, DNS rebinding, origins not allowed.
public final class OriginCheck {
  private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");

  private final Set<String> origins;
  private final boolean loopbackNamesOnly;

  /// @param loopbackNamesOnly whether the Host must be a loopback name, because no keys are
  ///   required
  public OriginCheck(HttpConfig config, boolean loopbackNamesOnly) {
    this.origins = new HashSet<>(config.corsOrigins());
    this.loopbackNamesOnly = loopbackNamesOnly;
  }

  /// The refusal of a request; empty when it is allowed.
  public Optional<Response> refusal(Request request) {
    var host = request.header("Host").orElse("");
    if (loopbackNamesOnly && !Loopback.isName(host(host))) {
      return Optional.of(
          Response.problem(403, "the Host header must name this machine: localhost or 127.0.0.1"));
    }
    var origin = request.header("Origin");
    if (origin.isEmpty() || READING.contains(request.method())) return Optional.empty();
    if (isOwn(origin.get(), host) || origins.contains(origin.get())) return Optional.empty();
    return Optional.of(Response.problem(403, "requests from this origin are not allowed"));
  }

  public static boolean isPreflight(Request request) {
    return request.method().equals("OPTIONS")
        && request.header("Origin").isPresent()
        && request.header("Access-Control-Request-Method").isPresent();
  }

  /// The response to a CORS preflight request.
  public Response preflight(Request request, Set<String> allowed) {
    if (request.header("Origin").filter(origins::contains).isEmpty()) {
      return Response.problem(403, "requests from this origin are not allowed");
    }
    return Response.noContent()
        .withHeader("Access-Control-Allow-Methods", String.join(", ", allowed))
        .withHeader(
            "Access-Control-Allow-Headers",
            "Authorization, Content-Type, Idempotency-Key, Last-Event-ID, Mcp-Method, Mcp-Name,"
                + " MCP-Protocol-Version, Mcp-Session-Id, X-Api-Key, X-Tenant, traceparent")
        .withHeader("Access-Control-Max-Age", "600");
  }

  /// Headers that let an allowed origin read the response.
  public Map<String, String> corsHeaders(Request request) {
    if (origins.isEmpty()) return Map.of();
    return request
        .header("Origin")
        .filter(origins::contains)
        .map(origin ->
            Map.of(
                "Access-Control-Allow-Origin", origin,
                "Access-Control-Expose-Headers",
                    "Location, Mcp-Session-Id, Retry-After, traceparent",
                "Vary", "Origin"))
        .orElse(Map.of("Vary", "Origin"));
  }

  /// Whether the browser's headers, which pages can't forge, name a page of ours. For reads it is
  /// enough that no other page is named: a followed link has no origin, and old browsers send none.
  static boolean isFromOwnPage(Request request) {
    var origin = request.header("Origin");
    if (origin.isPresent()) return isOwn(origin.get(), request.header("Host").orElse(""));
    var site = request.header("Sec-Fetch-Site").orElse("");
    if (site.equals("same-origin")) return true;
    return READING.contains(request.method())
        && (site.isEmpty()
            || site.equals("none")
            || request.header("Sec-Fetch-Mode").filter("navigate"::equals).isPresent());
  }

  private static boolean isOwn(String origin, String host) {
    var lower = origin.toLowerCase(Locale.ROOT);
    var own = host.toLowerCase(Locale.ROOT);
    return lower.equals("http://" + own) || lower.equals("https://" + own);
  }

  private static String host(String header) {
    if (header.startsWith("[")) {
      var end = header.indexOf(']');
      return end < 0 ? header : header.substring(1, end);
    }
    var colon = header.lastIndexOf(':');
    return colon < 0 ? header : header.substring(0, colon);
  }
}
