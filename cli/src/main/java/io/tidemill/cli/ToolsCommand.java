package io.tidemill.cli;

import io.tidemill.cli.client.ClientOptions;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.cli.terminal.Terminal;
import io.tidemill.cli.terminal.WrappedText;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `tidemill tools`
@Command(
    name = "tools",
    description = "List the tools that jobs and assistants (MCP) can call now.",
    footer = "tidemill tools")
final class ToolsCommand implements Callable<Integer> {
  private static final String INDENT = "    ";

  private final CommandSession session;

  @Mixin private ClientOptions client = new ClientOptions();

  ToolsCommand(CommandSession session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    var terminal = session.terminal();
    var answer = client.gateway(session).get("/v1/tools");
    if (client.isJson()) {
      terminal.json(answer);
      return ExitCode.OK;
    }
    for (var tool : answer.path("tools")) {
      terminal.line(terminal.bold(Terminal.clean(tool.path("name").asString(""))));
      var description = Terminal.clean(tool.path("description").asString(""));
      for (var line : WrappedText.lines(description, terminal, INDENT.length())) {
        if (!line.isEmpty()) terminal.line(INDENT + line);
      }
    }
    if (answer.path("tools").isEmpty()) terminal.note("no worker offers any");
    return ExitCode.OK;
  }
}
