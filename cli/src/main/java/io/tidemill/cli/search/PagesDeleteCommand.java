package io.tidemill.cli.search;

import io.tidemill.cli.client.ClientOptions;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.cli.terminal.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `tidemill pages delete URL`
@Command(
    name = "delete",
    description = "Delete a page, so that it is no longer found.",
    footer = "tidemill pages delete https://example.org/old")
final class PagesDeleteCommand implements Callable<Integer> {
  private final CommandSession session;

  @Mixin private ClientOptions client = new ClientOptions();

  @Parameters(paramLabel = "URL", description = "The page's URL.")
  private String url = "";

  PagesDeleteCommand(CommandSession session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    var answer = client.gateway(session).delete(PagesCommands.PAGE.path(url));
    if (client.isJson()) session.terminal().json(answer);
    else session.terminal().line("deleted " + Terminal.oneLine(url));
    return ExitCode.OK;
  }
}
