package io.tidemill.cli;

import io.tidemill.contract.crawl.CrawlStatus;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
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
final class CrawlListCommand implements Callable<Integer> {
  private static final List<String> STATUSES =
      Arrays.stream(CrawlStatus.values()).map(CrawlStatus::wire).toList();

  private final Session session;

  @Mixin private ClientOptions client = new ClientOptions();

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

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "50",
      description = "At most so many, 50 by default.")
  private int limit;

  CrawlListCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    OptionValue.oneOf("--status", status, STATUSES);
    var path =
        new RequestPath("/api/crawls")
            .with("email", email)
            .with("status", status)
            .with("limit", limit);
    var answer = client.gateway(session).get(path.toString());
    if (client.isJson()) session.terminal().json(answer);
    else print(answer);
    return ExitCode.OK;
  }

  private void print(JsonNode answer) {
    var terminal = session.terminal();
    var crawls = answer.path("crawls");
    crawls.forEach(this::printOne);
    var total = answer.path("total").asLong(crawls.size());
    if (total == 0) {
      terminal.line(email == null ? "no crawls" : "no crawls of " + Terminal.oneLine(email));
    }
    if (total > crawls.size()) {
      terminal.note((total - crawls.size()) + " more; see them with --limit");
    }
  }

  private void printOne(JsonNode crawl) {
    session
        .terminal()
        .line(
            Terminal.clean(
                String.format(
                    Locale.ROOT,
                    "%-36s  %-9s  %-24s  %s",
                    Terminal.oneLine(crawl.path("id").asString("")),
                    Terminal.oneLine(crawl.path("status").asString("")),
                    Terminal.oneLine(crawl.path("createdAt").asString("")),
                    Terminal.oneLine(crawl.path("url").asString("")))));
  }
}
