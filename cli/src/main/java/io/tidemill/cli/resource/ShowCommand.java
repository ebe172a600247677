package io.tidemill.cli.resource;

import io.tidemill.cli.client.ClientCommand;
import io.tidemill.cli.client.CommandSession;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `tidemill ... show ID`: prints one resource as the gateway returns it.
@Command(name = "show")
public final class ShowCommand extends ClientCommand {
  private final Resource resource;

  @Parameters private String id = "";

  private ShowCommand(CommandSession session, Resource resource) {
    super(session);
    this.resource = resource;
  }

  public static CommandLine of(CommandSession session, Resource resource, String description) {
    return resource.commandLine(new ShowCommand(session, resource), description, "");
  }

  @Override
  public Integer call() {
    var found = gateway().get(resource.path(id));
    return print(found, () -> terminal().prettyJson(found));
  }
}
