package io.tidemill.cli;

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
  private final Session session;

  @SuppressWarnings("unused") // picocli fills it and acts on --help
  @Mixin
  private SharedOptions shared = new SharedOptions();

  @Parameters(paramLabel = "DIR", description = "A folder to work in.")
  private Path scratch = Path.of(".");

  WarmCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    return session.launcher().warm(scratch);
  }
}
