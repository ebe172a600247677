package io.tidemill.cli.crawl;

import static io.tidemill.cli.client.ListOptions.text;

import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.ListOptions;
import io.tidemill.cli.client.ListOptions.Listed;
import io.tidemill.cli.client.OptionValue;
import io.tidemill.cli.client.RequestPath;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.contract.crawl.CrawlStatus;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/// `tidemill crawl list`
@Command(
    name = "list",
    description = "List crawls, the newest first.",
    footer = "tidemill crawl list --email you@example.org --status failed")
public final class CrawlListCommand implements Callable<Integer> {
  private static final List<String> STATUSES =
      Arrays.stream(CrawlStatus.values()).map(CrawlStatus::wire).toList();

  private final CommandSession session;

  @Mixin private ListOptions list = new ListOptions();

  @Option(
      names = "--email",
      paramLabel = "E",
      description = "Only those of this owner; the newest of all owners by default.")
  private @Nullable String email;

  @Option(
      names = "--status",
      paramLabel = "S",
      description = "Only those that are pending, completed, failed or canceled.")
  private @Nullable String status;

  public CrawlListCommand(CommandSession session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    OptionValue.oneOf("--status", status, STATUSES);
    var path = new RequestPath("/api/crawls").with("email", email).with("status", status);
    var listed =
        new Listed(
            "crawls",
            1_000,
            true,
            "%-36s  %-9s  %-24s  %s",
            CrawlListCommand::cells,
            _ -> email == null ? "no crawls" : "no crawls of " + email);
    list.show(session, path, listed);
    return ExitCode.OK;
  }

  private static List<String> cells(JsonNode crawl) {
    return List.of(
        text(crawl, "id"), text(crawl, "status"), text(crawl, "createdAt"), text(crawl, "url"));
  }
}
