package io.tidemill.cli.client;

import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.cli.terminal.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/// A command that calls a gateway.
public abstract class ClientCommand implements Callable<Integer> {
  protected final CommandSession session;

  @Mixin protected ClientOptions client = new ClientOptions();

  protected ClientCommand(CommandSession session) {
    this.session = session;
  }

  protected Terminal terminal() {
    return session.terminal();
  }

  protected GatewayClient gateway() {
    return client.gateway(session);
  }

  /// Prints an answer: as it is with `--json`, else as `text` does it.
  ///
  /// @return the exit code of success
  protected int print(JsonNode answer, Runnable text) {
    if (client.isJson()) terminal().json(answer);
    else text.run();
    return ExitCode.OK;
  }
}
