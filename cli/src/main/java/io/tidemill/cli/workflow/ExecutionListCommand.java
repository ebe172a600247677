package io.tidemill.cli.workflow;

import static io.tidemill.cli.client.ListOptions.text;

import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.ListOptions;
import io.tidemill.cli.client.ListOptions.Listed;
import io.tidemill.cli.client.OptionValue;
import io.tidemill.cli.client.RequestPath;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionStatus;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/// `tidemill workflow list`, `tidemill task list`
@Command(name = "list", description = "List them, the newest first.")
public final class ExecutionListCommand implements Callable<Integer> {
  private final CommandSession session;
  private final ExecutionKind kind;

  @Mixin private ListOptions list = new ListOptions();

  @Option(
      names = "--status",
      paramLabel = "S",
      description = "Only those that are so, such as pending, processing, completed or failed.")
  private @Nullable String status;

  @Option(
      names = {"--priority", "--type"},
      paramLabel = "X",
      description = "Only workflows of this priority, only tasks of this type.")
  private @Nullable String group;

  public ExecutionListCommand(CommandSession session, ExecutionKind kind) {
    this.session = session;
    this.kind = kind;
  }

  @Override
  public Integer call() {
    OptionValue.oneOf(
        "--status", status, ExecutionStatus.of(kind).stream().map(ExecutionStatus::wire).toList());
    if (kind == ExecutionKind.WORKFLOW) PriorityNames.check(group);
    var path =
        new RequestPath(ExecutionPath.all(kind))
            .with("status", status)
            .with(kind == ExecutionKind.WORKFLOW ? "priority" : "type", group);
    var listed =
        new Listed(
            kind.topic(),
            1_000,
            true,
            "%-41s  %-11s  %-24s  %s",
            this::cells,
            _ -> "no " + kind.topic());
    list.show(session, path, listed);
    return ExitCode.OK;
  }

  private List<String> cells(JsonNode flow) {
    return List.of(
        text(flow, kind.idField()), text(flow, "status"), text(flow, "createdAt"), detail(flow));
  }

  private String detail(JsonNode flow) {
    if (kind == ExecutionKind.TASK) return text(flow, "type");
    var step = text(flow, "currentStep");
    return text(flow, "name") + (step.isEmpty() ? "" : " (" + step + ")");
  }
}
