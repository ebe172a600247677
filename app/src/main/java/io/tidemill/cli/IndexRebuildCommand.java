package io.tidemill.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `tidemill index rebuild`
@Command(
    name = "rebuild",
    description = "Write the search index anew from the pages it keeps; stop the indexer first.",
    footer = "tidemill index rebuild")
final class IndexRebuildCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private SharedOptions shared = new SharedOptions();

  IndexRebuildCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    var pages = session.launcher().rebuild(shared.overrides(), shared.configFile());
    session.terminal().line("the index is written anew: " + pages + " pages");
    return ExitCode.OK;
  }
}
