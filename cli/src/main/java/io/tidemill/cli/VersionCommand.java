package io.tidemill.cli;

import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.LocalCommand;
import io.tidemill.cli.client.Version;
import io.tidemill.cli.terminal.ExitCode;
import picocli.CommandLine.Command;

/// `tidemill version`
@Command(name = "version", description = "Print the version.", footer = "tidemill version")
final class VersionCommand extends LocalCommand {
  VersionCommand(CommandSession session) {
    super(session);
  }

  @Override
  public Integer call() {
    terminal().line(Version.line());
    return ExitCode.OK;
  }
}
