package io.tidemill.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `tidemill index snapshot`
@Command(
    name = "snapshot",
    description = "Copy the search index as it is now; the indexer may go on meanwhile.",
    footer = "tidemill index snapshot ./index-2026.zip")
final class IndexSnapshotCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private SharedOptions shared = new SharedOptions();

  @Parameters(paramLabel = "TARGET", description = "A new folder, or a file that ends with .zip.")
  private Path target = Path.of("");

  IndexSnapshotCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    session.launcher().snapshot(target, shared.overrides(), shared.configFile());
    session.terminal().line("the index is copied to " + target);
    return ExitCode.OK;
  }
}
