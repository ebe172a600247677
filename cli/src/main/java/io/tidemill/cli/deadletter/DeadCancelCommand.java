package io.tidemill.cli.deadletter;

import io.tidemill.cli.client.ClientOptions;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.terminal.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `tidemill dead cancel ID`
@Command(
    name = "cancel",
    description = "Stop the redrive or discard of many; what has gone has gone.",
    footer = "tidemill dead cancel rd-38e9351d-ab05-428b-a6ec-ddd100678807")
public final class DeadCancelCommand implements Callable<Integer> {
  private final CommandSession session;

  @Mixin private ClientOptions client = new ClientOptions();

  @Parameters(paramLabel = "ID", description = "Its id.")
  private String id = "";

  public DeadCancelCommand(CommandSession session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    var run = client.gateway(session).delete(RedriveFollower.path(id));
    if (client.isJson()) session.terminal().json(run);
    else session.terminal().line("canceled");
    return ExitCode.OK;
  }
}
