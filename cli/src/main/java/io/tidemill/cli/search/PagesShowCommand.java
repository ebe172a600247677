package io.tidemill.cli.search;

import io.tidemill.cli.client.ClientOptions;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.terminal.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `tidemill pages show URL`
@Command(
    name = "show",
    description = "Show a page as the search knows it.",
    footer = "tidemill pages show https://example.org/")
public final class PagesShowCommand implements Callable<Integer> {
  private final CommandSession session;

  @Mixin private ClientOptions client = new ClientOptions();

  @Parameters(paramLabel = "URL", description = "The page's URL.")
  private String url = "";

  public PagesShowCommand(CommandSession session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    var page = client.gateway(session).get(PagesCommand.path(url));
    if (client.isJson()) session.terminal().json(page);
    else session.terminal().prettyJson(page);
    return ExitCode.OK;
  }
}
