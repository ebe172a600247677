package io.tidemill.cli.deadletter;

import io.tidemill.cli.client.SharedOptions;
import io.tidemill.cli.terminal.CommandFailure;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `tidemill dead`
@Command(
    name = "dead",
    description = "List, group, show, mend, redrive and discard what could not be worked off.",
    footer = "tidemill dead redrive --all")
final class DeadCommand implements Callable<Integer> {
  @SuppressWarnings("unused") // picocli fills it and acts on --help
  @Mixin
  private SharedOptions shared = new SharedOptions();

  @Override
  public Integer call() {
    throw CommandFailure.usage(
        "dead needs a word more: expected list, causes, show, edit, redrive, discard, follow or"
            + " cancel");
  }
}
