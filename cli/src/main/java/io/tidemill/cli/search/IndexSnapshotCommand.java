package io.tidemill.cli.search;

import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.LocalCommand;
import io.tidemill.cli.terminal.ExitCode;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `tidemill index snapshot`
@Command(
    name = "snapshot",
    description = "Copy the search index as it is now; the indexer may go on meanwhile.",
    footer = "tidemill index snapshot ./index-2026.zip")
public final class IndexSnapshotCommand extends LocalCommand {
  @Parameters(paramLabel = "TARGET", description = "A new folder, or a file that ends with .zip.")
  private Path target = Path.of("");

  public IndexSnapshotCommand(CommandSession session) {
    super(session);
  }

  @Override
  public Integer call() {
    session.launcher().snapshot(target, shared.overrides(), shared.configFile());
    terminal().line("the index is copied to " + target);
    return ExitCode.OK;
  }
}
