package io.tidemill.cli;

import io.tidemill.cli.client.ClientCommand;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.terminal.Terminal;
import io.tidemill.cli.terminal.WrappedText;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

/// `tidemill tools`
@Command(
    name = "tools",
    description = "List the tools that jobs and assistants (MCP) can call now.",
    footer = "tidemill tools")
final class ToolsCommand extends ClientCommand {
  private static final String INDENT = "    ";

  ToolsCommand(CommandSession session) {
    super(session);
  }

  @Override
  public Integer call() {
    var answer = gateway().get("/v1/tools");
    return print(answer, () -> print(answer.path("tools")));
  }

  private void print(JsonNode tools) {
    var terminal = terminal();
    for (var tool : tools) {
      terminal.line(terminal.bold(Terminal.clean(tool.path("name").asString(""))));
      var description = Terminal.clean(tool.path("description").asString(""));
      for (var line : WrappedText.lines(description, terminal, INDENT.length())) {
        if (!line.isEmpty()) terminal.line(INDENT + line);
      }
    }
    if (tools.isEmpty()) terminal.note("no worker offers any");
  }
}
