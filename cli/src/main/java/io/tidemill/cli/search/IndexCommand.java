package io.tidemill.cli.search;

import io.tidemill.cli.client.SharedOptions;
import io.tidemill.cli.terminal.CommandFailure;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `tidemill index`
@Command(
    name = "index",
    description = "Copy the search index, write it anew, or make its vectors.",
    footer = "tidemill index snapshot ./index-2026.zip")
public final class IndexCommand implements Callable<Integer> {
  @SuppressWarnings("unused") // picocli fills it and acts on --help
  @Mixin
  private SharedOptions shared = new SharedOptions();

  @Override
  public Integer call() {
    throw CommandFailure.usage("index needs a word more: expected snapshot, rebuild or vectors");
  }
}
