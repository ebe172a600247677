package io.tidemill.gateway.workflow;

import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.json.IsoTime;
import io.tidemill.json.Json;
import java.time.InstantSource;
import java.util.List;

/// That the process responds, as the gateway that contract C2 comes from says it: `/api/health`.
final class ServiceHealthRoutes implements Routes {
  private final InstantSource clock;

  ServiceHealthRoutes(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public List<Route> routes() {
    return List.of(Route.get("/api/health", this::show).open());
  }

  /// `GET /api/health`
  Response show(Request request) {
    return Response.ok(
        Json.object()
            .put("status", "healthy")
            .put("timestamp", IsoTime.text(clock.instant()))
            .put("version", ExecutionNames.VERSION)
            .put("service", ExecutionNames.GATEWAY));
  }
}
