package io.tidemill.cli.crawl;

import io.tidemill.cli.client.ClientOptions;
import io.tidemill.cli.client.CommandSession;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `tidemill crawl follow ID`
@Command(
    name = "follow",
    description = "Show how a crawl goes on, to its end, then what came of it.",
    footer = "tidemill crawl follow 38e9351d-ab05-428b-a6ec-ddd100678807")
public final class CrawlFollowCommand implements Callable<Integer> {
  private final CommandSession session;

  @Mixin private ClientOptions client = new ClientOptions();

  @Parameters(paramLabel = "ID", description = "The crawl's id.")
  private String id = "";

  public CrawlFollowCommand(CommandSession session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    return new CrawlFollower(client.gateway(session), session.terminal(), client.isJson())
        .follow(id, 0);
  }
}
