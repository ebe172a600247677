package io.tidemill.cli.workflow;

import io.tidemill.cli.client.ClientOptions;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.contract.workflow.ExecutionKind;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `tidemill workflow follow ID`, `tidemill task follow ID`
@Command(name = "follow", description = "Show how it goes on, to its end, then what came of it.")
public final class ExecutionFollowCommand implements Callable<Integer> {
  private final CommandSession session;
  private final ExecutionKind kind;

  @Mixin private ClientOptions client = new ClientOptions();

  @Parameters(paramLabel = "ID", description = "Its id.")
  private String id = "";

  public ExecutionFollowCommand(CommandSession session, ExecutionKind kind) {
    this.session = session;
    this.kind = kind;
  }

  @Override
  public Integer call() {
    return new ExecutionFollower(client.gateway(session), session.terminal(), kind, client.isJson())
        .follow(id);
  }
}
