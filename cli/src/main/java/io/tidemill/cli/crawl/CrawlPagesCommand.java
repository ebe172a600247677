package io.tidemill.cli.crawl;

import io.tidemill.cli.client.ClientCommand;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.RequestPath;
import io.tidemill.cli.terminal.Amounts;
import io.tidemill.cli.terminal.Terminal;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/// `tidemill crawl pages ID`
@Command(
    name = "pages",
    description = "List what became of each page of a crawl.",
    footer = "tidemill crawl pages 38e9351d-ab05-428b-a6ec-ddd100678807 --limit 1000")
final class CrawlPagesCommand extends ClientCommand {
  @Parameters(paramLabel = "ID", description = "The crawl's id.")
  private String id = "";

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "At most so many, 100 by default.")
  private int limit;

  @Option(
      names = "--offset",
      paramLabel = "N",
      defaultValue = "0",
      description = "Leave out so many at the start.")
  private int offset;

  CrawlPagesCommand(CommandSession session) {
    super(session);
  }

  @Override
  public Integer call() {
    var path =
        new RequestPath(CrawlCommands.CRAWL.path(id) + "/pages")
            .with("limit", limit)
            .with("offset", offset);
    var answer = gateway().get(path.toString());
    return print(answer, () -> print(answer.path("pages")));
  }

  private void print(JsonNode pages) {
    var terminal = terminal();
    pages.forEach(page -> terminal.line(line(page)));
    if (pages.isEmpty()) terminal.line("no pages");
    if (pages.size() == limit) {
      terminal.note("there may be more; see them with --offset " + (offset + limit));
    }
  }

  private String line(JsonNode page) {
    var outcome = Terminal.oneLine(page.path("outcome").asString(""));
    var about = page.path("reason").asString(page.path("title").asString(""));
    var status = page.path("status").asInt(0);
    return String.format(
            Locale.ROOT,
            "%s  %3s  %9s  %s  %s",
            coloured(outcome),
            status == 0 ? "" : status,
            page.has("bytes") ? Amounts.bytes(page.path("bytes").asLong(0)) : "",
            Terminal.oneLine(page.path("url").asString("")),
            terminal().dim(Terminal.oneLine(about)))
        .stripTrailing();
  }

  private String coloured(String outcome) {
    var padded = String.format(Locale.ROOT, "%-7s", outcome);
    return switch (outcome) {
      case "fetched" -> terminal().green(padded);
      case "failed" -> terminal().red(padded);
      default -> padded;
    };
  }
}
