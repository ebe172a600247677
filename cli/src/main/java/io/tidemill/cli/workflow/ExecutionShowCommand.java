package io.tidemill.cli.workflow;

import io.tidemill.cli.client.ClientOptions;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.contract.workflow.ExecutionKind;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `tidemill workflow show ID`, `tidemill task show ID`
@Command(name = "show", description = "Show how it stands, with its results.")
public final class ExecutionShowCommand implements Callable<Integer> {
  private final CommandSession session;
  private final ExecutionKind kind;

  @Mixin private ClientOptions client = new ClientOptions();

  @Parameters(paramLabel = "ID", description = "Its id.")
  private String id = "";

  public ExecutionShowCommand(CommandSession session, ExecutionKind kind) {
    this.session = session;
    this.kind = kind;
  }

  @Override
  public Integer call() {
    var flow = client.gateway(session).get(ExecutionPath.one(kind, id));
    if (client.isJson()) session.terminal().json(flow);
    else session.terminal().prettyJson(flow);
    return ExitCode.OK;
  }
}
