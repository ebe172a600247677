package io.tidemill.cli.search;

import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.SharedOptions;
import io.tidemill.cli.terminal.ExitCode;
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
public final class IndexSnapshotCommand implements Callable<Integer> {
  private final CommandSession session;

  @Mixin private SharedOptions shared = new SharedOptions();

  @Parameters(paramLabel = "TARGET", description = "A new folder, or a file that ends with .zip.")
  private Path target = Path.of("");

  public IndexSnapshotCommand(CommandSession session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    session.launcher().snapshot(target, shared.overrides(), shared.configFile());
    session.terminal().line("the index is copied to " + target);
    return ExitCode.OK;
  }
}
