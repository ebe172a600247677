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

/// `tidemill workflow retry ID`
@Command(
    name = "retry",
    description = "Retry a workflow that failed or was canceled.",
    footer = "tidemill workflow retry wf-38e9351d-ab05-428b-a6ec-ddd100678807 --follow")
final class WorkflowRetryCommand extends ClientCommand {
  private static final int MOST_STEPS = 50;

  @Parameters(paramLabel = "ID", description = "Its id.")
  private String id = "";

  @Option(
      names = "--from-step",
      paramLabel = "N",
      description = "Begin with this step, 0 is the first; with the one that failed by default.")
  private @Nullable Integer fromStep;

  @Option(
      names = "--input",
      paramLabel = "JSON",
      description = "Another input: JSON, @file, or - for standard input.")
  private @Nullable String input;

  @Option(
      names = {"-f", "--follow"},
      description = "Stay and show how it goes, then the result; with --json one event a line.")
  private boolean follow;

  WorkflowRetryCommand(CommandSession session) {
    super(session);
  }

  @Override
  public Integer call() {
    OptionValue.between("--from-step", fromStep, 0, MOST_STEPS - 1);
    var body = Json.object();
    if (fromStep != null) body.put("fromStep", fromStep);
    if (input != null) body.set("input", PayloadText.read("--input", input, terminal().in()));
    return ExecutionSubmit.retry(session, client, ExecutionKind.WORKFLOW, id, body, follow);
  }
}
