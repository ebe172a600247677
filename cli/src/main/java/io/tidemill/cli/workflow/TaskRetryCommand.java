package io.tidemill.cli.workflow;

import io.tidemill.cli.client.ClientCommand;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.OptionValue;
import io.tidemill.cli.client.PayloadText;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.json.Json;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `tidemill task retry ID`
@Command(
    name = "retry",
    description = "Retry a task that failed or was canceled.",
    footer = "tidemill task retry task-38e9351d-ab05-428b-a6ec-ddd100678807 --follow")
final class TaskRetryCommand extends ClientCommand {
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
    super(session);
  }

  @Override
  public Integer call() {
    OptionValue.between("--max-retries", maxRetries, 0, TaskCommand.MOST_RETRIES);
    var body = Json.object();
    if (data != null) body.set("data", PayloadText.read("--data", data, terminal().in()));
    if (maxRetries != null) body.put("maxRetries", maxRetries);
    return ExecutionSubmit.retry(session, client, ExecutionKind.TASK, id, body, follow);
  }
}
