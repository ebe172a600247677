package io.tidemill.dashboard.servers;

import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.json.Json;
import java.util.List;

/// Real messages of every contract: `/api/contracts/examples`.
final class ExampleRoutes implements Routes {
  private final MessageExamples examples;

  ExampleRoutes(MessageExamples examples) {
    this.examples = examples;
  }

  @Override
  public List<Route> routes() {
    return List.of(Route.get("/api/contracts/examples", _ -> list()));
  }

  private Response list() {
    var answer = Json.object();
    answer.putArray("examples").addAll(examples.newest());
    return Response.ok(answer);
  }
}
