package io.tidemill.cli;

import io.tidemill.contract.crawl.CrawlStatus;
import tools.jackson.databind.JsonNode;

/// Shows how a crawl goes on, then what came of it.
final class CrawlFollow {
  private final GatewayClient gateway;
  private final Terminal terminal;
  private final boolean json;

  CrawlFollow(GatewayClient gateway, Terminal terminal, boolean json) {
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
        new Following(terminal, json, view, CrawlPrinter::isTerminal)
            .follow(gateway, path + "/events", goesOn(id));
    return json && ended.isPresent() ? exitCode(ended.get()) : finish(gateway.get(path));
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
