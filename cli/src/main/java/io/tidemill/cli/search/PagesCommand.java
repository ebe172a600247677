package io.tidemill.cli.search;

import io.tidemill.cli.client.RequestPath;
import io.tidemill.cli.client.SharedOptions;
import io.tidemill.cli.terminal.CommandFailure;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `tidemill pages`
@Command(
    name = "pages",
    description = "Show or delete a page that can be found.",
    footer = "tidemill pages show https://example.org/")
public final class PagesCommand implements Callable<Integer> {
  @SuppressWarnings("unused") // picocli fills it and acts on --help
  @Mixin
  private SharedOptions shared = new SharedOptions();

  /// Where a page is found.
  static String path(String url) {
    return new RequestPath("/api/pages").with("url", url).toString();
  }

  @Override
  public Integer call() {
    throw CommandFailure.usage("pages needs a word more: expected show or delete");
  }
}
