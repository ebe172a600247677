package io.tidemill.gateway;

import io.tidemill.contract.Json;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/// What we speak, for programs: `/openapi.json` and `/contracts/…`.
public final class OpenApiRoutes implements Routes {
  private static final List<String> CONTRACTS =
      List.of(
          "asyncapi.json",
          "job-entry.schema.json",
          "job-event.schema.json",
          "job.schema.json",
          "page.schema.json",
          "page-gone.schema.json");

  private final String version;

  public OpenApiRoutes(String version) {
    this.version = version;
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.get("/openapi.json", _ -> document("openapi.json")).open(),
        Route.get("/contracts/", _ -> index()).open(),
        Route.get("/contracts/{name}", this::contract).open());
  }

  private static Response index() {
    var answer = Json.object();
    var names = answer.putArray("contracts");
    CONTRACTS.forEach(name -> names.add("/contracts/" + name));
    return Response.ok(answer);
  }

  private Response contract(Request request) {
    var name = request.pathParam("name");
    return CONTRACTS.contains(name)
        ? document("contracts/" + name)
        : Response.problem(404, "there is no such contract document");
  }

  private Response document(String name) {
    try (var in = OpenApiRoutes.class.getResourceAsStream(name)) {
      if (in == null) throw new IllegalStateException("no resource " + name);
      var text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      var bytes =
          text.replace("\"VERSION\"", "\"" + version + "\"").getBytes(StandardCharsets.UTF_8);
      return new Response.Body(200, "application/json", bytes, Map.of());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
