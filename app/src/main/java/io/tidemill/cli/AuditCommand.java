package io.tidemill.cli;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/// `tidemill audit`
@Command(
    name = "audit",
    description = "Show who changed what, the newest first; needs an admin's key.",
    footer = "tidemill audit --who alice --limit 10")
final class AuditCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private ClientOptions client = new ClientOptions();

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "50",
      description = "At most so many, 50 by default.")
  private int limit;

  @Option(
      names = "--who",
      paramLabel = "NAME",
      description = "Only this name, key mark, or anonymous.")
  private @Nullable String who;

  @Option(
      names = "--action",
      paramLabel = "TEXT",
      description = "Only where method and route have this in them, such as 'POST /api/crawls'.")
  private @Nullable String action;

  @Option(
      names = "--before",
      paramLabel = "NEXT",
      description = "Those after another page, from its last line.")
  private @Nullable String before;

  AuditCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    OptionValue.between("--limit", limit, 1, 1_000);
    var path = new RequestPath("/api/audit").with("limit", limit).with("before", before);
    path.with("who", who).with("action", action);
    var answer = client.gateway(session).get(path.toString());
    if (client.isJson()) {
      session.terminal().json(answer);
      return ExitCode.OK;
    }
    answer.path("audit").forEach(this::print);
    var next = answer.path("next").asString("");
    if (answer.path("audit").isEmpty() && next.isEmpty()) {
      session.terminal().line("nothing was changed");
    }
    if (!next.isEmpty()) session.terminal().note("more with --before " + Terminal.oneLine(next));
    return ExitCode.OK;
  }

  private void print(JsonNode entry) {
    var at = Instant.ofEpochMilli(entry.path("at").asLong(0)).truncatedTo(ChronoUnit.SECONDS);
    var role = entry.path("role").asString("");
    var who = text(entry, "who") + (role.isEmpty() ? "" : " (" + role + ")");
    var detail = text(entry, "detail");
    session
        .terminal()
        .line(
            Terminal.clean(
                String.format(
                    Locale.ROOT,
                    "%s  %-24s %-15s %d  %s %s%s",
                    at,
                    who,
                    text(entry, "address"),
                    entry.path("status").asInt(0),
                    text(entry, "method"),
                    text(entry, "path"),
                    detail.isEmpty() ? "" : "  " + detail)));
  }

  private static String text(JsonNode entry, String field) {
    return Terminal.oneLine(entry.path(field).asString(""));
  }
}
