package io.tidemill.cli.workflow;

import io.tidemill.cli.terminal.Terminal;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.json.Json;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// What came of a workflow or task, in a few lines.
final class ExecutionSummary {
  private final Terminal terminal;
  private final ExecutionKind kind;

  ExecutionSummary(Terminal terminal, ExecutionKind kind) {
    this.terminal = terminal;
    this.kind = kind;
  }

  /// @param execution the entity
  void print(JsonNode execution) {
    ExecutionStatus.of(execution.path("status").asString(""))
        .ifPresent(status -> print(status, execution));
  }

  private void print(ExecutionStatus status, JsonNode execution) {
    var name = "the " + kind.wire();
    switch (status) {
      case COMPLETED -> {
        result(execution.path(kind == ExecutionKind.WORKFLOW ? "summary" : "result"));
        var files = execution.path("files");
        files.forEach(file -> file(file, execution.path("results")));
        if (files.isEmpty()) execution.path("results").forEach(this::made);
      }
      case CANCELED -> terminal.error(name + " was canceled");
      case FAILED, DEAD_LETTER -> {
        var step = Terminal.oneLine(execution.path("currentStep").asString(""));
        var where = step.isEmpty() ? "" : " in step " + step;
        terminal.error(name + " failed" + where + ": " + words(execution.path("error")));
        var id = Terminal.oneLine(execution.path(kind.idField()).asString(""));
        terminal.note("once the cause is mended: tidemill %s retry %s".formatted(kind.wire(), id));
      }
      case PENDING, PROCESSING, RETRYING ->
          terminal.error(name + "'s events ended while it is " + status.wire());
    }
  }

  private void result(JsonNode result) {
    if (!result.isNull() && !result.isMissingNode()) terminal.prettyJson(result);
  }

  private void file(JsonNode file, JsonNode results) {
    var step = results.path(file.path("step").asInt(-1)).path("stepName").asString("");
    var name = step.isEmpty() ? file.path("name").asString("") : step;
    terminal.line(Terminal.oneLine(name + ": " + file.path("url").asString("")));
  }

  // The summary has counts only, and people want what a step left for them. Gateways of earlier
  // versions list no files.
  private void made(JsonNode step) {
    var where =
        Stream.of("object", "url")
            .map(name -> step.path("result").path(name).asString(""))
            .filter(text -> !text.isEmpty())
            .collect(Collectors.joining(" "));
    var name = step.path("stepName").asString("");
    if (!where.isEmpty()) terminal.line(Terminal.oneLine(name + ": " + where));
  }

  /// An error in one line; what a foreign processor writes may be any JSON.
  static String words(JsonNode error) {
    var message = error.path("message").asString("");
    var code = error.path("code").asString("");
    if (message.isEmpty()) return code.isEmpty() ? Json.text(error) : code;
    return code.isEmpty() ? message : message + " (" + code + ")";
  }
}
