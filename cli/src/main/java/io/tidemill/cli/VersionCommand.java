package io.tidemill.cli;

import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.SharedOptions;
import io.tidemill.cli.client.Version;
import io.tidemill.cli.terminal.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `tidemill version`
@Command(name = "version", description = "Print the version.", footer = "tidemill version")
final class VersionCommand implements Callable<Integer> {
  private final CommandSession session;

  @SuppressWarnings("unused") // picocli fills it and acts on --help
  @Mixin
  private SharedOptions shared = new SharedOptions();

  VersionCommand(CommandSession session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    session.terminal().line(Version.line());
    return ExitCode.OK;
  }
}
