package io.tidemill.cli.job;

import io.tidemill.cli.client.ClientOptions;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.GatewayClient;
import io.tidemill.cli.terminal.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `tidemill job show ID`
@Command(
    name = "show",
    description = "Show a job's record.",
    footer = "tidemill job show 0f8fad5b-d9cb-469f-a165-70867728950e")
public final class JobShowCommand implements Callable<Integer> {
  private final CommandSession session;

  @Mixin private ClientOptions client = new ClientOptions();

  @Parameters(paramLabel = "ID", description = "The job's id.")
  private String id = "";

  public JobShowCommand(CommandSession session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    var job = client.gateway(session).get("/v1/jobs/" + GatewayClient.segment(id));
    if (client.isJson()) session.terminal().json(job);
    else session.terminal().prettyJson(job);
    return ExitCode.OK;
  }
}
