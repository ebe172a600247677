package io.tidemill.gateway.file;

import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.contract.workflow.ExecutionRecords;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.redis.StoreRetry;
import io.tidemill.workflow.ExecutionStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Files that tasks and steps of workflows left, as long as their record is kept:
/// `/api/tasks/{id}/files/…`, `/api/workflows/{id}/steps/{step}/files/…`.
///
/// An address of the store never comes from the request: it is looked up in the record.
public record ResultFileRoutes(
    ExecutionStore workflows, ExecutionStore tasks, ResultFiles files, FileDownload download)
    implements FileRoutes {
  @Override
  public List<Route> routes() {
    return List.of(
        Route.get("/api/tasks/{id}/files/{name}", this::taskFile).forLinks(),
        Route.get("/api/workflows/{id}/steps/{step}/files/{name}", this::stepFile).forLinks());
  }

  /// `GET /api/tasks/{id}/files/{name}`
  Response taskFile(Request request) {
    return find(tasks, request)
        .map(record -> file(ExecutionRecords.task(record), ExecutionKind.TASK, "-1", request))
        .orElseGet(() -> Response.problem(404, "there is no such task"));
  }

  /// `GET /api/workflows/{id}/steps/{step}/files/{name}`
  Response stepFile(Request request) {
    var step = request.pathParam("step");
    return find(workflows, request)
        .map(record ->
            file(ExecutionRecords.workflow(record), ExecutionKind.WORKFLOW, step, request))
        .orElseGet(() -> Response.problem(404, "there is no such workflow"));
  }

  private static Optional<Map<String, String>> find(ExecutionStore store, Request request) {
    return Optional.of(request.pathParam("id"))
        .filter(ExecutionNames::isId)
        .flatMap(id -> StoreRetry.answer(() -> store.find(id)));
  }

  private Response file(JsonNode shown, ExecutionKind kind, String step, Request request) {
    var name = request.pathParam("name");
    return files.in(kind, shown).stream()
        .filter(file -> String.valueOf(file.step()).equals(step) && file.name().equals(name))
        .findFirst()
        .map(file -> file(file.address(), request))
        .orElseGet(() ->
            Response.problem(
                404,
                "its result names no such file: `files` of the %s has those that it does"
                    .formatted(kind.wire())));
  }
}
