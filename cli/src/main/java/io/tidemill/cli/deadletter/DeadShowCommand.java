package io.tidemill.cli.deadletter;

import io.tidemill.cli.client.ClientOptions;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.GatewayClient;
import io.tidemill.cli.terminal.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `tidemill dead show ID`
@Command(
    name = "show",
    description = "Show one dead entry whole.",
    footer = "tidemill dead show workflows:0-12")
public final class DeadShowCommand implements Callable<Integer> {
  private final CommandSession session;

  @Mixin private ClientOptions client = new ClientOptions();

  @Parameters(paramLabel = "ID", description = "The entry's id, from dead list.")
  private String id = "";

  public DeadShowCommand(CommandSession session) {
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
