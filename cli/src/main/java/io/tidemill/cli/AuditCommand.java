package io.tidemill.cli;

import static io.tidemill.cli.client.ListOptions.text;
import static io.tidemill.cli.client.ListOptions.time;

import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.ListOptions;
import io.tidemill.cli.client.ListOptions.Listed;
import io.tidemill.cli.client.RequestPath;
import io.tidemill.cli.terminal.ExitCode;
import java.util.List;
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
  private final CommandSession session;

  @Mixin private ListOptions list = new ListOptions();

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

  AuditCommand(CommandSession session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    var path = new RequestPath("/api/audit").with("who", who).with("action", action);
    var listed =
        new Listed(
            "audit",
            1_000,
            false,
            "%s  %-24s %-15s %s  %s %s  %s",
            AuditCommand::cells,
            _ -> "nothing was changed");
    list.show(session, path, listed);
    return ExitCode.OK;
  }

  private static List<String> cells(JsonNode entry) {
    var role = text(entry, "role");
    return List.of(
        time(entry, "at"),
        text(entry, "who") + (role.isEmpty() ? "" : " (" + role + ")"),
        text(entry, "address"),
        text(entry, "status"),
        text(entry, "method"),
        text(entry, "path"),
        text(entry, "detail"));
  }
}
