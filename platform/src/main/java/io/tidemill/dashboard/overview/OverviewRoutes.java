package io.tidemill.dashboard.overview;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.http.SseWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// The overview, once or as a stream of events: `/api/overview…`.
public final class OverviewRoutes implements Routes {
  private static final Duration HEARTBEAT = Duration.ofSeconds(10);

  private final OverviewSampler sampler;

  public OverviewRoutes(OverviewSampler sampler) {
    this.sampler = sampler;
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.get("/api/overview", this::now), Route.get("/api/overview/events", this::follow));
  }

  /// `GET /api/overview`
  Response now(Request request) throws InterruptedException {
    return new Response.Body(200, "application/json", sampler.now().getBytes(UTF_8), Map.of());
  }

  /// `GET /api/overview/events`
  Response follow(Request request) {
    return Response.events(this::write);
  }

  private void write(SseWriter out) throws IOException, InterruptedException {
    try (var watch = sampler.watch()) {
      while (!watch.isOver()) {
        var next = watch.next(HEARTBEAT);
        if (next == null) out.comment("heartbeat");
        else out.event(null, "overview", next);
      }
    }
  }
}
