package io.tidemill.cli.search;

import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.RequestPath;
import io.tidemill.cli.resource.GroupCommand;
import io.tidemill.cli.resource.Resource;
import io.tidemill.cli.resource.ShowCommand;
import picocli.CommandLine;

/// `tidemill pages` and the commands below it.
public final class PagesCommands {
  static final Resource PAGE =
      new Resource(
          "pages",
          "the page",
          "URL",
          "The page's URL.",
          "https://example.org/",
          url -> new RequestPath("/api/pages").with("url", url).toString());

  private PagesCommands() {}

  public static CommandLine of(CommandSession session) {
    return GroupCommand.of(
            "pages", "Show or delete a page that can be found.", "show https://example.org/")
        .addSubcommand(ShowCommand.of(session, PAGE, "Show a page as the search knows it."))
        .addSubcommand(new PagesDeleteCommand(session));
  }
}
