package io.tidemill.cli.workflow;

import io.tidemill.cli.client.ClientOptions;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.OptionValue;
import io.tidemill.cli.client.PayloadText;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.json.Json;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `tidemill task retry ID`
@Command(
    name = "retry",
    description = "Let a task begin again that failed or was canceled.",
    footer = "tidemill task retry task-38e9351d-ab05-428b-a6ec-ddd100678807 --follow")
final class TaskRetryCommand implements Callable<Integer> {
  private final CommandSession session;

  @Mixin private ClientOptions client = new ClientOptions();

  @Parameters(paramLabel = "ID", description = "Its id.")
  private String id = "";

  @Option(
      names = "--data",
      paramLabel = "JSON",
      description = "Other data: JSON, @file, or - for standard input.")
  private @Nullable String data;

  @Option(names = "--max-retries", paramLabel = "N", description = "How often to try again.")
  private @Nullable Integer maxRetries;

  @Option(
      names = {"-f", "--follow"},
      description = "Stay and show how it goes, then the result; with --json one event a line.")
  private boolean follow;

  TaskRetryCommand(CommandSession session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    OptionValue.between("--max-retries", maxRetries, 0, TaskCommand.MOST_RETRIES);
    var body = Json.object();
    if (data != null) body.set("data", PayloadText.read("--data", data, session.terminal().in()));
    if (maxRetries != null) body.put("maxRetries", maxRetries);
    var gateway = client.gateway(session);
    var path = ExecutionCommands.resource(ExecutionKind.TASK).path(id) + "/retry";
    var answer = gateway.post(path, body, Map.of());
    return ExecutionSubmit.accepted(session, client, gateway, ExecutionKind.TASK, answer, follow);
  }
}
