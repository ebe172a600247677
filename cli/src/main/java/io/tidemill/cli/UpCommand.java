package io.tidemill.cli;

import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.Commands;
import io.tidemill.cli.client.LocalCommand;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `tidemill up`
@Command(
    name = "up",
    description = "Start everything in one process, with local servers where none are configured.",
    footer = "tidemill up --http-port 8090")
final class UpCommand extends LocalCommand {
  @Option(
      names = "--only",
      split = ",",
      paramLabel = "role",
      description = "Start only these roles: ${COMPLETION-CANDIDATES}.",
      completionCandidates = RoleNames.class)
  private List<String> only = List.of();

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Where everything is kept, ./data by default.")
  private @Nullable String data;

  @Option(
      names = "--http-port",
      paramLabel = "N",
      description = "The gateway's port, 8080 by default; 0 = any free one.")
  private @Nullable Integer httpPort;

  UpCommand(CommandSession session) {
    super(session);
  }

  @Override
  public Integer call() {
    var overrides = new LinkedHashMap<>(shared.overrides());
    if (data != null) overrides.put("data.dir", data);
    if (httpPort != null) overrides.put("http.port", String.valueOf(httpPort));
    return session
        .launcher()
        .up(new Commands.UpRequest(Roles.check(only), overrides, shared.configFile()));
  }
}
