package io.tidemill.cli.job;

import io.tidemill.cli.client.ClientOptions;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.GatewayClient;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.json.Json;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `tidemill job cancel ID`
@Command(
    name = "cancel",
    description = "Cancel a job that waits or runs.",
    footer = "tidemill job cancel 0f8fad5b-d9cb-469f-a165-70867728950e --reason 'not needed'")
public final class JobCancelCommand implements Callable<Integer> {
  private final CommandSession session;

  @Mixin private ClientOptions client = new ClientOptions();

  @Parameters(paramLabel = "ID", description = "The job's id.")
  private String id = "";

  @Option(names = "--reason", paramLabel = "R", description = "Why, for those who follow the job.")
  private @Nullable String reason;

  public JobCancelCommand(CommandSession session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    var body = Json.object();
    if (reason != null) body.put("reason", reason);
    var answer =
        client
            .gateway(session)
            .post("/v1/jobs/" + GatewayClient.segment(id) + "/cancel", body, Map.of());
    if (client.isJson()) session.terminal().json(answer);
    else session.terminal().line("canceled, was " + answer.path("was").asString("unknown"));
    return ExitCode.OK;
  }
}
