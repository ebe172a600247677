package io.tidemill.cli;

import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.Commands;
import io.tidemill.cli.client.LocalCommand;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `tidemill run ROLE...`
@Command(
    name = "run",
    description = "Start roles against servers that are configured or already running.",
    footer = "eval \"$(tidemill env)\" && tidemill run worker")
final class RunCommand extends LocalCommand {
  @Parameters(
      arity = "1..*",
      paramLabel = "ROLE",
      description = "One or more of ${COMPLETION-CANDIDATES}.",
      completionCandidates = RoleNames.class)
  private List<String> roles = List.of();

  RunCommand(CommandSession session) {
    super(session);
  }

  @Override
  public Integer call() {
    return session
        .launcher()
        .run(new Commands.RunRequest(Roles.check(roles), shared.overrides(), shared.configFile()));
  }
}
