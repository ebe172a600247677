package io.tidemill.cli;

import io.tidemill.contract.flow.FlowKind;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/// What submitting a workflow and submitting a task have in common.
final class FlowSubmit {
  @Option(
      names = {"-f", "--follow"},
      description = "Stay and show how it goes, then the result; with --json one event a line.")
  private boolean follow;

  @Option(
      names = "--idempotency-key",
      paramLabel = "K",
      description = "The same key again leads to the same one.")
  private @Nullable String idempotencyKey;

  int submit(Session session, ClientOptions client, FlowKind kind, JsonNode body) {
    var headers =
        idempotencyKey == null
            ? Map.<String, String>of()
            : Map.of("Idempotency-Key", idempotencyKey);
    var gateway = client.gateway(session);
    var answer = gateway.post(FlowPath.all(kind), body, headers);
    return accepted(session, client, gateway, kind, answer, follow);
  }

  /// Shows what the gateway has taken in, or how it goes on.
  static int accepted(
      Session session,
      ClientOptions client,
      GatewayClient gateway,
      FlowKind kind,
      JsonNode answer,
      boolean follow) {
    var terminal = session.terminal();
    var id = Terminal.oneLine(answer.path(kind.idField()).asString(""));
    if (follow) {
      if (!client.isJson()) terminal.note(kind.wire() + " " + id);
      return new FlowFollow(gateway, terminal, kind, client.isJson()).follow(id);
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
