package io.tidemill.cli.workflow;

import io.tidemill.cli.client.ClientCommand;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.OptionValue;
import io.tidemill.cli.client.PayloadText;
import io.tidemill.cli.terminal.CommandFailure;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.json.Json;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `tidemill task TYPE [JSON]`; the subcommands act on existing tasks.
@Command(
    name = "task",
    description = "Start a task and, if you like, follow it to its end.",
    footer =
        "tidemill task email_notification '{\"recipient\":\"you@example.org\",\"subject\":\"Hello\",\"template\":\"welcome_email\"}' --follow")
final class TaskCommand extends ClientCommand {
  static final int MOST_RETRIES = 100;

  @Mixin private ExecutionSubmit submit = new ExecutionSubmit();

  // Not required for picocli, which would ask for it before a subcommand too.
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "TYPE",
      description = "Such as ${COMPLETION-CANDIDATES}.",
      completionCandidates = TaskTypeNames.class)
  private @Nullable String type;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "JSON",
      description = "The data: JSON, @file, or - for standard input; {} by default.")
  private @Nullable String data;

  @Option(
      names = "--max-retries",
      paramLabel = "N",
      description = "How often to try again, 3 by default.")
  private @Nullable Integer maxRetries;

  TaskCommand(CommandSession session) {
    super(session);
  }

  @Override
  public Integer call() {
    if (type == null) {
      throw CommandFailure.usage(
          "TYPE is missing: expected such as " + String.join(", ", new TaskTypeNames()));
    }
    OptionValue.between("--max-retries", maxRetries, 0, MOST_RETRIES);
    var body = Json.object().put("type", type);
    body.set("data", PayloadText.read("JSON", data, terminal().in()));
    if (maxRetries != null) body.put("maxRetries", maxRetries);
    return submit.submit(session, client, ExecutionKind.TASK, body);
  }
}
