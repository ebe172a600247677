package io.tidemill.cli.workflow;

import io.tidemill.cli.client.EventFollower;
import io.tidemill.cli.client.GatewayClient;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.cli.terminal.Terminal;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.json.Json;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// Shows how a workflow or task goes on, then what came of it.
final class ExecutionFollower {
  private final GatewayClient gateway;
  private final Terminal terminal;
  private final ExecutionKind kind;
  private final boolean json;

  ExecutionFollower(GatewayClient gateway, Terminal terminal, ExecutionKind kind, boolean json) {
    this.gateway = gateway;
    this.terminal = terminal;
    this.kind = kind;
    this.json = json;
  }

  /// Follows to the end.
  ///
  /// @return the exit code: 0 when it is completed
  int follow(String id) {
    var path = ExecutionPath.one(kind, id);
    var ended =
        new EventFollower(
                terminal, json, new ExecutionPrinter(terminal), ExecutionPrinter::isTerminal)
            .follow(gateway, path + "/events", goesOn(id));
    return json && ended.isPresent() ? exitCode(isGood(ended.get())) : finish(gateway.get(path));
  }

  private String goesOn(String id) {
    return "%nthe %1$s goes on; see it again: tidemill %1$s follow %2$s%nstop it: tidemill %1$s cancel %2$s"
        .formatted(kind.wire(), id);
  }

  private static boolean isGood(String type) {
    return type.equals(ExecutionEvent.WorkflowCompleted.TYPE)
        || type.equals(ExecutionEvent.TaskCompleted.TYPE);
  }

  private int finish(JsonNode flow) {
    var status = flow.path("status").asString("");
    var known = ExecutionStatus.of(status);
    if (json) terminal.json(flow);
    else if (known.isPresent()) print(known.get(), flow);
    return exitCode(status.equals(ExecutionStatus.COMPLETED.wire()));
  }

  private void print(ExecutionStatus status, JsonNode flow) {
    var name = "the " + kind.wire();
    switch (status) {
      case COMPLETED -> {
        result(flow.path(kind == ExecutionKind.WORKFLOW ? "summary" : "result"));
        flow.path("results").forEach(this::made);
      }
      case CANCELED -> terminal.error(name + " was canceled");
      case FAILED, DEAD_LETTER -> {
        var step = Terminal.oneLine(flow.path("currentStep").asString(""));
        var where = step.isEmpty() ? "" : " in step " + step;
        terminal.error(name + " failed" + where + ": " + words(flow.path("error")));
        var id = Terminal.oneLine(flow.path(kind.idField()).asString(""));
        terminal.note("once the cause is mended: tidemill %s retry %s".formatted(kind.wire(), id));
      }
      case PENDING, PROCESSING, RETRYING ->
          terminal.error(name + "'s events ended while it is " + status.wire());
    }
  }

  private void result(JsonNode result) {
    if (!result.isNull() && !result.isMissingNode()) terminal.prettyJson(result);
  }

  // The summary has counts only, and people want what a step left for them.
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

  private static int exitCode(boolean good) {
    return good ? ExitCode.OK : ExitCode.FAILED;
  }
}
