package io.tidemill.cli.search;

import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.LocalCommand;
import io.tidemill.cli.terminal.ExitCode;
import picocli.CommandLine.Command;

/// `tidemill index rebuild`
@Command(
    name = "rebuild",
    description = "Write the search index anew from the pages it keeps; stop the indexer first.",
    footer = "tidemill index rebuild")
public final class IndexRebuildCommand extends LocalCommand {
  public IndexRebuildCommand(CommandSession session) {
    super(session);
  }

  @Override
  public Integer call() {
    var pages = session.launcher().rebuild(shared.overrides(), shared.configFile());
    terminal().line("the index is written anew: " + pages + " pages");
    return ExitCode.OK;
  }
}
