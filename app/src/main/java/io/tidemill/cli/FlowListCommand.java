package io.tidemill.cli;

import io.tidemill.contract.flow.FlowKind;
import io.tidemill.contract.flow.FlowStatus;
import java.util.Locale;
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

  @Mixin private ClientOptions client = new ClientOptions();

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

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "50",
      description = "At most so many, 50 by default.")
  private int limit;

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
            .with(kind == FlowKind.WORKFLOW ? "priority" : "type", group)
            .with("limit", limit);
    var answer = client.gateway(session).get(path.toString());
    if (client.isJson()) session.terminal().json(answer);
    else print(answer);
    return ExitCode.OK;
  }

  private void print(JsonNode answer) {
    var terminal = session.terminal();
    var flows = answer.path(kind.topic());
    flows.forEach(this::printOne);
    var total = answer.path("total").asLong(flows.size());
    if (total == 0) terminal.line("no " + kind.topic());
    if (total > flows.size()) {
      terminal.note((total - flows.size()) + " more; see them with --limit");
    }
  }

  private void printOne(JsonNode flow) {
    session
        .terminal()
        .line(
            Terminal.clean(
                String.format(
                    Locale.ROOT,
                    "%-41s  %-11s  %-24s  %s",
                    text(flow, kind.idField()),
                    text(flow, "status"),
                    text(flow, "createdAt"),
                    detail(flow))));
  }

  private String detail(JsonNode flow) {
    if (kind == FlowKind.TASK) return text(flow, "type");
    var step = text(flow, "currentStep");
    return text(flow, "name") + (step.isEmpty() ? "" : " (" + step + ")");
  }

  private static String text(JsonNode flow, String name) {
    return Terminal.oneLine(flow.path(name).asString(""));
  }
}
