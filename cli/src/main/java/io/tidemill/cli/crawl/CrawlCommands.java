package io.tidemill.cli.crawl;

import static io.tidemill.cli.resource.Listing.text;

import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.GatewayClient;
import io.tidemill.cli.resource.CancelCommand;
import io.tidemill.cli.resource.FollowCommand;
import io.tidemill.cli.resource.ListCommand;
import io.tidemill.cli.resource.ListFilter;
import io.tidemill.cli.resource.Listing;
import io.tidemill.cli.resource.Resource;
import io.tidemill.cli.resource.ShowCommand;
import io.tidemill.contract.crawl.CrawlStatus;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/// `tidemill crawl` and the commands below it.
public final class CrawlCommands {
  static final String PATH = "/api/crawls";

  static final Resource CRAWL =
      new Resource(
          "crawl",
          "the crawl",
          "ID",
          "The crawl's id.",
          "38e9351d-ab05-428b-a6ec-ddd100678807",
          id -> PATH + "/" + GatewayClient.segment(id));

  private static final Listing CRAWLS =
      new Listing(
          "crawl list",
          "List crawls, the newest first.",
          "--email you@example.org --status failed",
          new Listing.Source(PATH, "crawls", 1_000, true),
          List.of(
              ListFilter.any(
                  "--email",
                  "E",
                  "Only those of this owner; the newest of all owners by default.",
                  "email"),
              ListFilter.oneOf(
                  "--status",
                  "S",
                  "Only those that are pending, completed, failed or canceled.",
                  Arrays.stream(CrawlStatus.values()).map(CrawlStatus::wire).toList())),
          "%-36s  %-9s  %-24s  %s",
          CrawlCommands::cells,
          CrawlCommands::none);

  private CrawlCommands() {}

  public static CommandLine of(CommandSession session) {
    return new CommandLine(new CrawlCommand(session))
        .addSubcommand(ShowCommand.of(session, CRAWL, "Show how a crawl stands, with its result."))
        .addSubcommand(
            FollowCommand.of(
                session,
                CRAWL,
                "Show how a crawl goes on, to its end, then what came of it.",
                terminal -> new CrawlPrinter(terminal, 0)))
        .addSubcommand(new CrawlPagesCommand(session))
        .addSubcommand(ListCommand.of(session, CRAWLS))
        .addSubcommand(CancelCommand.of(session, CRAWL, "Cancel a crawl that waits or runs."));
  }

  private static List<String> cells(JsonNode crawl) {
    return List.of(
        text(crawl, "id"), text(crawl, "status"), text(crawl, "createdAt"), text(crawl, "url"));
  }

  private static String none(Map<String, String> given, JsonNode answer) {
    var email = given.get("email");
    return email == null ? "no crawls" : "no crawls of " + email;
  }
}
