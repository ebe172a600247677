package io.tidemill.http.server;

import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.observe.Metrics;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/// `/metrics` for Prometheus.
public final class MetricsRoutes implements Routes {
  private final Metrics metrics;

  public MetricsRoutes(Metrics metrics) {
    this.metrics = metrics;
  }

  @Override
  public List<Route> routes() {
    return List.of(Route.get("/metrics", _ -> scrape()));
  }

  private Response scrape() {
    var body = metrics.scrape().getBytes(StandardCharsets.UTF_8);
    return new Response.Body(200, Metrics.CONTENT_TYPE, body, Map.of());
  }
}
