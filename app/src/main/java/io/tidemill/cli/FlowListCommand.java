package io.tidemill.cli;

import static io.tidemill.cli.ListOptions.text;

import io.tidemill.cli.ListOptions.Listed;
import io.tidemill.contract.flow.FlowKind;
import io.tidemill.contract.flow.FlowStatus;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/// `tidemill workflow list`, `tidemill task list`
@Command(name = "list", description = "List them, the newest first.")
final class FlowListCommand implements Callable<Integer> {
  private final Session session;
  private final FlowKind kind;

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

  FlowListCommand(Session session, FlowKind kind) {
    this.session = session;
    this.kind = kind;
  }

  @Override
  public Integer call() {
    OptionValue.oneOf(
        "--status", status, FlowStatus.of(kind).stream().map(FlowStatus::wire).toList());
    if (kind == FlowKind.WORKFLOW) PriorityNames.check(group);
    var path =
        new RequestPath(FlowPath.all(kind))
            .with("status", status)
            .with(kind == FlowKind.WORKFLOW ? "priority" : "type", group);
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
    if (kind == FlowKind.TASK) return text(flow, "type");
    var step = text(flow, "currentStep");
    return text(flow, "name") + (step.isEmpty() ? "" : " (" + step + ")");
  }
}
