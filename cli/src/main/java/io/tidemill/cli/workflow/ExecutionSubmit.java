package io.tidemill.cli.workflow;

import io.tidemill.cli.client.ClientOptions;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.GatewayClient;
import io.tidemill.cli.resource.FollowCommand;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.cli.terminal.Terminal;
import io.tidemill.contract.workflow.ExecutionKind;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/// What submitting a workflow and submitting a task have in common.
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
    var headers =
        idempotencyKey == null
            ? Map.<String, String>of()
            : Map.of("Idempotency-Key", idempotencyKey);
    var gateway = client.gateway(session);
    var answer = gateway.post(ExecutionCommands.path(kind), body, headers);
    return accepted(session, client, gateway, kind, answer, follow);
  }

  /// Shows what the gateway has taken in, or how it goes on.
  static int accepted(
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
