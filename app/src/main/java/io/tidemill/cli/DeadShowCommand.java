package io.tidemill.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `tidemill dead show ID`
@Command(
    name = "show",
    description = "Show one dead entry whole.",
    footer = "tidemill dead show workflows:0-12")
final class DeadShowCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private ClientOptions client = new ClientOptions();

  @Parameters(paramLabel = "ID", description = "The entry's id, from dead list.")
  private String id = "";

  DeadShowCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    var dead = client.gateway(session).get("/api/dead/" + GatewayClient.segment(id));
    if (client.isJson()) session.terminal().json(dead);
    else session.terminal().prettyJson(dead);
    return ExitCode.OK;
  }
}
