package io.tidemill.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `tidemill crawl show ID`
@Command(
    name = "show",
    description = "Show how a crawl stands, with its result.",
    footer = "tidemill crawl show 38e9351d-ab05-428b-a6ec-ddd100678807")
final class CrawlShowCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private ClientOptions client = new ClientOptions();

  @Parameters(paramLabel = "ID", description = "The crawl's id.")
  private String id = "";

  CrawlShowCommand(Session session) {
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
