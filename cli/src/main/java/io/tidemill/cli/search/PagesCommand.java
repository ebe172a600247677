package io.tidemill.cli.search;

import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.RequestPath;
import io.tidemill.cli.client.SharedOptions;
import io.tidemill.cli.resource.Resource;
import io.tidemill.cli.resource.ShowCommand;
import io.tidemill.cli.terminal.CommandFailure;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `tidemill pages`
@Command(
    name = "pages",
    description = "Show or delete a page that can be found.",
    footer = "tidemill pages show https://example.org/")
public final class PagesCommand implements Callable<Integer> {
  static final Resource PAGE =
      new Resource(
          "pages",
          "the page",
          "URL",
          "The page's URL.",
          "https://example.org/",
          url -> new RequestPath("/api/pages").with("url", url).toString());

  @SuppressWarnings("unused") // picocli fills it and acts on --help
  @Mixin
  private SharedOptions shared = new SharedOptions();

  public static CommandLine commandLine(CommandSession session) {
    return new CommandLine(new PagesCommand())
        .addSubcommand(ShowCommand.of(session, PAGE, "Show a page as the search knows it."))
        .addSubcommand(new PagesDeleteCommand(session));
  }

  @Override
  public Integer call() {
    throw CommandFailure.usage("pages needs a word more: expected show or delete");
  }
}
