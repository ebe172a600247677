package io.tidemill.gateway;

import io.tidemill.contract.job.ToolCodec;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.job.ToolRegistry;
import io.tidemill.json.Json;
import io.tidemill.redis.StoreRetry;
import java.util.List;

/// The tools that jobs can call now (C3.11): `/v1/tools`.
public final class ToolRoutes implements Routes {
  private final ToolRegistry store;

  public ToolRoutes(ToolRegistry store) {
    this.store = store;
  }

  @Override
  public List<Route> routes() {
    return List.of(Route.get("/v1/tools", this::list));
  }

  /// `GET /v1/tools`
  Response list(Request request) {
    var answer = Json.object();
    var tools = answer.putArray("tools");
    for (var tool : StoreRetry.answer(store::alive)) tools.add(ToolCodec.encode(tool));
    return Response.ok(answer);
  }
}
