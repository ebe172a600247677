package io.tidemill.gateway;

import io.tidemill.http.BasePath;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The interfaces in machine-readable form: `/openapi.json` for HTTP, `/contracts/…` for messages.
public final class ContractRoutes implements Routes {
  private static final String SCHEMA = ".schema.json";

  private static final List<String> EVENTS =
      List.of(
          "envelope",
          "workflow.created",
          "workflow.processing",
          "workflow.step.completed",
          "workflow.completed",
          "workflow.failed",
          "task.created",
          "task.processing",
          "task.completed",
          "task.failed",
          "task.dead_letter");

  private static final List<String> CONTRACTS = contracts();

  private final String version;
  private final BasePath base;

  public ContractRoutes(String version, BasePath base) {
    this.version = version;
    this.base = base;
  }

  private static List<String> contracts() {
    var names = new ArrayList<>(List.of("asyncapi.json"));
    Stream.of(
            "collected",
            "collected-legacy",
            "collected-inline",
            "analyze-result",
            "crawl-request",
            "crawl-response",
            "job-entry",
            "job-event",
            "job",
            "page",
            "page-gone")
        .forEach(name -> names.add(name + SCHEMA));
    EVENTS.forEach(name -> names.add("streamops/" + name + SCHEMA));
    return List.copyOf(names);
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.get("/contracts/", _ -> index()).open(),
        Route.get("/contracts/{name}", request -> contract(request, "")).open(),
        Route.get("/contracts/streamops/{name}", request -> contract(request, "streamops/")).open(),
        Route.get(
                "/openapi.json",
                _ -> Response.document(ContractDocuments.openApi(version, base.root())))
            .open());
  }

  /// `GET /contracts/`
  Response index() {
    var answer = Json.object();
    var names = answer.putArray("contracts");
    CONTRACTS.forEach(name -> names.add("/contracts/" + name));
    return Response.ok(answer);
  }

  /// `GET /contracts/{name}`
  Response contract(Request request, String folder) {
    var name = folder + request.pathParam("name");
    if (!CONTRACTS.contains(name)) {
      return Response.problem(404, "there is no such contract document");
    }
    var document =
        name.endsWith(SCHEMA)
            ? ContractDocuments.schema(name, version)
            : ContractDocuments.asyncApi(version);
    return Response.document(Json.bytes(document));
  }
}
