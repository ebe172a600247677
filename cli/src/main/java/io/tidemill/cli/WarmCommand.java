package io.tidemill.cli;

import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.LocalCommand;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `tidemill warm DIR`: the run that an AOT cache is made from; not for users.
@Command(
    name = "warm",
    hidden = true,
    description = "Go once through a start, to make the AOT cache of it.",
    footer = "tidemill warm DIR")
final class WarmCommand extends LocalCommand {
  @Parameters(paramLabel = "DIR", description = "A folder to work in.")
  private Path scratch = Path.of(".");

  WarmCommand(CommandSession session) {
    super(session);
  }

  @Override
  public Integer call() {
    return session.launcher().warm(scratch);
  }
}
