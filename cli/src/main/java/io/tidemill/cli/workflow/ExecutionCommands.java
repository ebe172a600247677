package io.tidemill.cli.workflow;

import static io.tidemill.cli.resource.Listing.text;

import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.GatewayClient;
import io.tidemill.cli.resource.CancelCommand;
import io.tidemill.cli.resource.FollowCommand;
import io.tidemill.cli.resource.ListCommand;
import io.tidemill.cli.resource.ListFilter;
import io.tidemill.cli.resource.Listing;
import io.tidemill.cli.resource.Resource;
import io.tidemill.cli.resource.ShowCommand;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionStatus;
import java.util.List;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/// `tidemill workflow`, `tidemill task` and the commands below them.
public final class ExecutionCommands {
  private ExecutionCommands() {}

  public static CommandLine workflows(CommandSession session) {
    return of(session, ExecutionKind.WORKFLOW, new WorkflowCommand(session))
        .addSubcommand(new WorkflowRetryCommand(session));
  }

  public static CommandLine tasks(CommandSession session) {
    return of(session, ExecutionKind.TASK, new TaskCommand(session))
        .addSubcommand(new TaskRetryCommand(session));
  }

  private static CommandLine of(CommandSession session, ExecutionKind kind, Object command) {
    var resource = resource(kind);
    return new CommandLine(command)
        .addSubcommand(ShowCommand.of(session, resource, "Show how it stands, with its results."))
        .addSubcommand(
            FollowCommand.of(
                session,
                resource,
                "Show how it goes on, to its end, then what came of it.",
                terminal -> new ExecutionPrinter(terminal, kind)))
        .addSubcommand(ListCommand.of(session, listing(kind)))
        .addSubcommand(
            CancelCommand.withReason(session, resource, "Cancel what waits or runs.", "it", ""));
  }

  static String path(ExecutionKind kind) {
    return "/api/" + kind.topic();
  }

  static Resource resource(ExecutionKind kind) {
    return new Resource(
        kind.wire(),
        "the " + kind.wire(),
        "ID",
        "Its id.",
        (kind == ExecutionKind.WORKFLOW ? "wf" : "task") + "-38e9351d-ab05-428b-a6ec-ddd100678807",
        id -> path(kind) + "/" + GatewayClient.segment(id));
  }

  private static Listing listing(ExecutionKind kind) {
    return new Listing(
        kind.wire() + " list",
        "List them, the newest first.",
        "--status failed",
        new Listing.Source(path(kind), kind.topic(), 1_000, true),
        List.of(
            ListFilter.oneOf(
                "--status",
                "S",
                "Only those that are so, such as pending, processing, completed or failed.",
                ExecutionStatus.of(kind).stream().map(ExecutionStatus::wire).toList()),
            group(kind)),
        "%-41s  %-11s  %-24s  %s",
        execution -> cells(kind, execution),
        (_, _) -> "no " + kind.topic());
  }

  private static ListFilter group(ExecutionKind kind) {
    var isWorkflow = kind == ExecutionKind.WORKFLOW;
    return new ListFilter(
        List.of("--priority", "--type"),
        "X",
        "Only workflows of this priority, only tasks of this type.",
        isWorkflow ? "priority" : "type",
        isWorkflow ? PriorityNames.names() : List.of(),
        false);
  }

  private static List<String> cells(ExecutionKind kind, JsonNode execution) {
    return List.of(
        text(execution, kind.idField()),
        text(execution, "status"),
        text(execution, "createdAt"),
        kind == ExecutionKind.TASK ? text(execution, "type") : nameAndStep(execution));
  }

  private static String nameAndStep(JsonNode workflow) {
    var step = text(workflow, "currentStep");
    return text(workflow, "name") + (step.isEmpty() ? "" : " (" + step + ")");
  }
}
