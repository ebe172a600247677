package io.tidemill.cli.search;

import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.LocalCommand;
import io.tidemill.cli.terminal.Amounts;
import io.tidemill.cli.terminal.CommandFailure;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.cli.terminal.ProgressBar;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `tidemill index vectors`
@Command(
    name = "vectors",
    description =
        "Make the vectors of pages that have none yet, so that they are found by meaning.",
    footer = "tidemill index vectors")
public final class IndexVectorsCommand extends LocalCommand {
  @Option(names = "--again", description = "Make all of them anew; stop the indexer first.")
  private boolean again;

  private long most;
  private boolean elsewhere;

  public IndexVectorsCommand(CommandSession session) {
    super(session);
  }

  @Override
  public Integer call() {
    session.launcher().vectors(again, shared.overrides(), shared.configFile(), this::show);
    var terminal = terminal();
    if (terminal.isWatched() && most > 0) terminal.out().println();
    if (Thread.interrupted()) {
      throw CommandFailure.interrupted(new InterruptedException("stopped; it goes on next time"));
    }
    terminal.line(
        most == 0
            ? "all pages have their vectors"
            : "the vectors of "
                + Amounts.count(most, "page")
                + " are made"
                + (elsewhere ? " by the indexer that runs" : ""));
    return ExitCode.OK;
  }

  private void show(long left, boolean byOther) {
    elsewhere = byOther;
    most = Math.max(most, left);
    var terminal = terminal();
    if (!terminal.isWatched() || most == 0) return;
    var done = most - left;
    var facts =
        new ArrayList<>(List.of(Amounts.count(done) + " of " + Amounts.count(most, "page")));
    if (byOther) facts.add("by the indexer that runs");
    terminal
        .out()
        .print("\r" + new ProgressBar(terminal).line((double) done / most, facts) + "\u001b[K");
    terminal.out().flush();
  }
}
