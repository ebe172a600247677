package io.tidemill.cli.deadletter;

import io.tidemill.cli.client.ClientOptions;
import io.tidemill.cli.client.CommandSession;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `tidemill dead follow ID`
@Command(
    name = "follow",
    description = "Watch the redrive or discard of many to its end.",
    footer = "tidemill dead follow rd-38e9351d-ab05-428b-a6ec-ddd100678807")
public final class DeadFollowCommand implements Callable<Integer> {
  private final CommandSession session;

  @Mixin private ClientOptions client = new ClientOptions();

  @Parameters(paramLabel = "ID", description = "Its id.")
  private String id = "";

  public DeadFollowCommand(CommandSession session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    return new RedriveFollower(client.gateway(session), session.terminal(), client.isJson())
        .follow(id);
  }
}
