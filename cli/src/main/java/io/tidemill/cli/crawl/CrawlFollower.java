package io.tidemill.cli.crawl;

import io.tidemill.cli.client.EventFollower;
import io.tidemill.cli.client.GatewayClient;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.cli.terminal.Terminal;
import io.tidemill.contract.crawl.CrawlStatus;
import tools.jackson.databind.JsonNode;

/// Shows how a crawl goes on, then what came of it.
final class CrawlFollower {
  private final GatewayClient gateway;
  private final Terminal terminal;
  private final boolean json;

  CrawlFollower(GatewayClient gateway, Terminal terminal, boolean json) {
    this.gateway = gateway;
    this.terminal = terminal;
    this.json = json;
  }

  /// Follows to the end.
  ///
  /// @param wanted pages that were asked for; 0 = not known
  /// @return the exit code: 0 when the crawl is completed
  int follow(String id, long wanted) {
    var path = CrawlCommand.path(id);
    var view = new CrawlPrinter(terminal, wanted);
    var ended =
        new EventFollower(terminal, json, view, CrawlPrinter::isTerminal)
            .follow(gateway, path + "/events", goesOn(id));
    return json && ended.isPresent() ? exitCode(ended.get()) : finish(gateway.get(path));
  }

  /// Waits for the end of a dry run, and tells what came of it.
  ///
  /// @return the exit code: 0 when the crawl could begin
  int preview(String id) {
    var path = CrawlCommand.path(id);
    new EventFollower(terminal, false, new Silence(), CrawlPrinter::isTerminal)
        .follow(gateway, path + "/events", goesOn(id));
    var crawl = gateway.get(path);
    var preview = crawl.path("result").path("preview");
    if (json) terminal.json(crawl);
    else if (preview.isObject()) new CrawlPreviewPrinter(terminal).print(preview);
    else new CrawlSummary(terminal).print(crawl);
    var isAllowed = preview.path("robots").path("allowed").asBoolean(true);
    return isAllowed ? exitCode(crawl.path("status").asString("")) : ExitCode.FAILED;
  }

  private static final class Silence implements EventFollower.View {
    @Override
    public void print(JsonNode event) {}

    @Override
    public void end() {}
  }

  static String goesOn(String id) {
    return "%nthe crawl goes on; see it again: tidemill crawl follow %s%nstop it: tidemill crawl cancel %s"
        .formatted(id, id);
  }

  private int finish(JsonNode crawl) {
    if (json) terminal.json(crawl);
    else new CrawlSummary(terminal).print(crawl);
    return exitCode(crawl.path("status").asString(""));
  }

  private static int exitCode(String status) {
    return CrawlStatus.of(status) == CrawlStatus.COMPLETED ? ExitCode.OK : ExitCode.FAILED;
  }
}
