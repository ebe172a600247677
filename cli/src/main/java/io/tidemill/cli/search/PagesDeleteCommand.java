package io.tidemill.cli.search;

import io.tidemill.cli.client.ClientCommand;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `tidemill pages delete URL`
@Command(
    name = "delete",
    description = "Delete a page, so that it is no longer found.",
    footer = "tidemill pages delete https://example.org/old")
final class PagesDeleteCommand extends ClientCommand {
  @Parameters(paramLabel = "URL", description = "The page's URL.")
  private String url = "";

  PagesDeleteCommand(CommandSession session) {
    super(session);
  }

  @Override
  public Integer call() {
    var answer = gateway().delete(PagesCommands.PAGE.path(url));
    return print(answer, () -> terminal().line("deleted " + Terminal.oneLine(url)));
  }
}
