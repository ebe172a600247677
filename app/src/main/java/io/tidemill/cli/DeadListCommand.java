package io.tidemill.cli;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/// `tidemill dead list`
@Command(
    name = "list",
    description = "List dead entries, the newest first.",
    footer = "tidemill dead list --limit 10")
final class DeadListCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private ClientOptions client = new ClientOptions();

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "50",
      description = "At most so many, 50 by default.")
  private int limit;

  DeadListCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    var answer = client.gateway(session).get("/api/dead?limit=" + limit);
    if (client.isJson()) {
      session.terminal().json(answer);
      return ExitCode.OK;
    }
    var entries = answer.path("dead");
    entries.forEach(this::print);
    var total = answer.path("total").asLong(entries.size());
    if (total == 0) session.terminal().line("nothing is dead");
    if (total > entries.size()) {
      session.terminal().note((total - entries.size()) + " more; see them with --limit");
    }
    return ExitCode.OK;
  }

  private void print(JsonNode dead) {
    var at = Instant.ofEpochMilli(dead.path("ts").asLong(0)).truncatedTo(ChronoUnit.SECONDS);
    session
        .terminal()
        .line(
            Terminal.clean(
                String.format(
                    Locale.ROOT,
                    "%-20s %s  %-16s %s",
                    dead.path("id").asString(""),
                    at,
                    dead.path("reason").asString(""),
                    dead.path("message").asString("").replace('\n', ' '))));
  }
}
