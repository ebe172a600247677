package io.tidemill.cli;

import io.tidemill.contract.flow.FlowKind;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `tidemill workflow show ID`, `tidemill task show ID`
@Command(name = "show", description = "Show how it stands, with its results.")
final class FlowShowCommand implements Callable<Integer> {
  private final Session session;
  private final FlowKind kind;

  @Mixin private ClientOptions client = new ClientOptions();

  @Parameters(paramLabel = "ID", description = "Its id.")
  private String id = "";

  FlowShowCommand(Session session, FlowKind kind) {
    this.session = session;
    this.kind = kind;
  }

  @Override
  public Integer call() {
    var flow = client.gateway(session).get(FlowPath.one(kind, id));
    if (client.isJson()) session.terminal().json(flow);
    else session.terminal().prettyJson(flow);
    return ExitCode.OK;
  }
}
