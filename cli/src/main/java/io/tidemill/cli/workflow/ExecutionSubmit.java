package io.tidemill.cli.workflow;

import io.tidemill.cli.client.ClientOptions;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.GatewayClient;
import io.tidemill.cli.resource.FollowCommand;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.cli.terminal.Terminal;
import io.tidemill.contract.workflow.ExecutionKind;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/// Submits and restarts workflows and tasks.
final class ExecutionSubmit {
  @Option(
      names = {"-f", "--follow"},
      description = "Stay and show how it goes, then the result; with --json one event a line.")
  private boolean follow;

  @Option(
      names = "--idempotency-key",
      paramLabel = "K",
      description = "The same key again leads to the same one.")
  private @Nullable String idempotencyKey;

  int submit(CommandSession session, ClientOptions client, ExecutionKind kind, JsonNode body) {
    var gateway = client.gateway(session);
    var answer = gateway.post(ExecutionCommands.path(kind), body, idempotencyKey);
    return accepted(session, client, gateway, kind, answer, follow);
  }

  /// Restarts a workflow or task that has ended.
  static int retry(
      CommandSession session,
      ClientOptions client,
      ExecutionKind kind,
      String id,
      JsonNode body,
      boolean follow) {
    var gateway = client.gateway(session);
    var answer = gateway.post(ExecutionCommands.resource(kind).path(id) + "/retry", body);
    return accepted(session, client, gateway, kind, answer, follow);
  }

  private static int accepted(
      CommandSession session,
      ClientOptions client,
      GatewayClient gateway,
      ExecutionKind kind,
      JsonNode answer,
      boolean follow) {
    var terminal = session.terminal();
    var id = Terminal.oneLine(answer.path(kind.idField()).asString(""));
    if (follow) {
      if (!client.isJson()) terminal.note(kind.wire() + " " + id);
      var view = new ExecutionPrinter(terminal, kind);
      return FollowCommand.follow(
          gateway, terminal, client.isJson(), ExecutionCommands.resource(kind), id, view);
    }
    if (client.isJson()) {
      terminal.json(answer);
    } else {
      terminal.line(id);
      terminal.note("follow it: " + client.command(kind.wire() + " follow " + id));
    }
    return ExitCode.OK;
  }
}
