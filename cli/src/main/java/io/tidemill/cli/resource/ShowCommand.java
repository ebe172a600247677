package io.tidemill.cli.resource;

import io.tidemill.cli.client.ClientOptions;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.terminal.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `tidemill ... show ID`: one thing as the gateway gives it.
@Command(name = "show")
public final class ShowCommand implements Callable<Integer> {
  private final CommandSession session;
  private final Resource resource;

  @Mixin private ClientOptions client = new ClientOptions();

  @Parameters private String id = "";

  private ShowCommand(CommandSession session, Resource resource) {
    this.session = session;
    this.resource = resource;
  }

  public static CommandLine of(CommandSession session, Resource resource, String description) {
    return resource.commandLine(new ShowCommand(session, resource), description, "");
  }

  @Override
  public Integer call() {
    var found = client.gateway(session).get(resource.path(id));
    if (client.isJson()) session.terminal().json(found);
    else session.terminal().prettyJson(found);
    return ExitCode.OK;
  }
}
