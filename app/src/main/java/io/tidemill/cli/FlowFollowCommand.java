package io.tidemill.cli;

import io.tidemill.contract.flow.FlowKind;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `tidemill workflow follow ID`, `tidemill task follow ID`
@Command(name = "follow", description = "Show how it goes on, to its end, then what came of it.")
final class FlowFollowCommand implements Callable<Integer> {
  private final Session session;
  private final FlowKind kind;

  @Mixin private ClientOptions client = new ClientOptions();

  @Parameters(paramLabel = "ID", description = "Its id.")
  private String id = "";

  FlowFollowCommand(Session session, FlowKind kind) {
    this.session = session;
    this.kind = kind;
  }

  @Override
  public Integer call() {
    return new FlowFollow(client.gateway(session), session.terminal(), kind, client.isJson())
        .follow(id);
  }
}
