package io.tidemill.cli;

import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.SharedOptions;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `tidemill warm DIR`: what an AOT cache is made from; nobody types it.
@Command(
    name = "warm",
    hidden = true,
    description = "Go once through a start, to make the AOT cache of it.",
    footer = "tidemill warm DIR")
final class WarmCommand implements Callable<Integer> {
  private final CommandSession session;

  @SuppressWarnings("unused") // picocli fills it and acts on --help
  @Mixin
  private SharedOptions shared = new SharedOptions();

  @Parameters(paramLabel = "DIR", description = "A folder to work in.")
  private Path scratch = Path.of(".");

  WarmCommand(CommandSession session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    return session.launcher().warm(scratch);
  }
}
