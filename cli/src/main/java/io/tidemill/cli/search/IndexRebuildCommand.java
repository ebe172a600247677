package io.tidemill.cli.search;

import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.SharedOptions;
import io.tidemill.cli.terminal.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `tidemill index rebuild`
@Command(
    name = "rebuild",
    description = "Write the search index anew from the pages it keeps; stop the indexer first.",
    footer = "tidemill index rebuild")
public final class IndexRebuildCommand implements Callable<Integer> {
  private final CommandSession session;

  @Mixin private SharedOptions shared = new SharedOptions();

  public IndexRebuildCommand(CommandSession session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    var pages = session.launcher().rebuild(shared.overrides(), shared.configFile());
    session.terminal().line("the index is written anew: " + pages + " pages");
    return ExitCode.OK;
  }
}
