package io.tidemill.cli;

import io.tidemill.contract.Json;
import io.tidemill.contract.flow.FlowKind;
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
  private final Session session;

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

  TaskRetryCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    OptionValue.between("--max-retries", maxRetries, 0, TaskCommand.MOST_RETRIES);
    var body = Json.object();
    if (data != null) body.set("data", PayloadText.read("--data", data, session.terminal().in()));
    if (maxRetries != null) body.put("maxRetries", maxRetries);
    var gateway = client.gateway(session);
    var path = FlowPath.one(FlowKind.TASK, id) + "/retry";
    var answer = gateway.post(path, body, Map.of());
    return FlowSubmit.accepted(session, client, gateway, FlowKind.TASK, answer, follow);
  }
}
