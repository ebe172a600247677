package io.tidemill.cli;

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
  private final Session session;

  @Mixin private ClientOptions client = new ClientOptions();

  @Parameters(paramLabel = "URL", description = "The page's URL.")
  private String url = "";

  PagesDeleteCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    var answer = client.gateway(session).delete(PagesCommand.path(url));
    if (client.isJson()) session.terminal().json(answer);
    else session.terminal().line("deleted " + Terminal.oneLine(url));
    return ExitCode.OK;
  }
}
