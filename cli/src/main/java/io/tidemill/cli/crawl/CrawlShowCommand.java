package io.tidemill.cli.crawl;

import io.tidemill.cli.client.ClientOptions;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.terminal.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `tidemill crawl show ID`
@Command(
    name = "show",
    description = "Show how a crawl stands, with its result.",
    footer = "tidemill crawl show 38e9351d-ab05-428b-a6ec-ddd100678807")
public final class CrawlShowCommand implements Callable<Integer> {
  private final CommandSession session;

  @Mixin private ClientOptions client = new ClientOptions();

  @Parameters(paramLabel = "ID", description = "The crawl's id.")
  private String id = "";

  public CrawlShowCommand(CommandSession session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    var crawl = client.gateway(session).get(CrawlCommand.path(id));
    if (client.isJson()) session.terminal().json(crawl);
    else session.terminal().prettyJson(crawl);
    return ExitCode.OK;
  }
}
