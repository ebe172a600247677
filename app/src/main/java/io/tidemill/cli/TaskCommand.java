package io.tidemill.cli;

import io.tidemill.contract.Json;
import io.tidemill.contract.flow.FlowKind;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `tidemill task TYPE [JSON]`; the subcommands look at tasks that exist.
@Command(
    name = "task",
    description = "Start a task and, if you like, follow it to its end.",
    footer =
        "tidemill task email_notification '{\"recipient\":\"you@example.org\",\"subject\":\"Hello\",\"template\":\"welcome_email\"}' --follow")
final class TaskCommand implements Callable<Integer> {
  static final int MOST_RETRIES = 100;

  private final Session session;

  @Mixin private ClientOptions client = new ClientOptions();
  @Mixin private FlowSubmit submit = new FlowSubmit();

  // Not required for picocli, which would ask for it before a subcommand too.
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "TYPE",
      description = "Such as ${COMPLETION-CANDIDATES}.",
      completionCandidates = FlowTypeNames.class)
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

  TaskCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (type == null) {
      throw CommandFailure.usage(
          "TYPE is missing: expected such as " + String.join(", ", new FlowTypeNames()));
    }
    OptionValue.between("--max-retries", maxRetries, 0, MOST_RETRIES);
    var body = Json.object().put("type", type);
    body.set("data", PayloadText.read("JSON", data, session.terminal().in()));
    if (maxRetries != null) body.put("maxRetries", maxRetries);
    return submit.submit(session, client, FlowKind.TASK, body);
  }
}
