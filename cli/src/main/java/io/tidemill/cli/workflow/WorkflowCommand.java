package io.tidemill.cli.workflow;

import io.tidemill.cli.client.ClientCommand;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.PayloadText;
import io.tidemill.cli.terminal.CommandFailure;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.json.Json;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `tidemill workflow NAME --steps a,b,c`; the subcommands act on existing workflows.
@Command(
    name = "workflow",
    description = "Start a workflow and, if you like, follow it to its end.",
    footer =
        "tidemill workflow tides --steps validate,store --input '{\"records\":[{\"a\":1}]}' --follow")
final class WorkflowCommand extends ClientCommand {
  @Mixin private ExecutionSubmit submit = new ExecutionSubmit();

  // Not required for picocli, which would ask for it before a subcommand too.
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "NAME",
      description = "What to call it: 3 to 100 characters.")
  private @Nullable String name;

  @Option(
      names = "--steps",
      paramLabel = "A,B",
      description = "What to do, in this order, such as validate,transform,store.")
  private List<String> steps = List.of();

  @Option(
      names = "--priority",
      paramLabel = "P",
      description = "How urgent it is: ${COMPLETION-CANDIDATES}; medium by default.",
      completionCandidates = PriorityNames.class)
  private @Nullable String priority;

  @Option(
      names = "--input",
      paramLabel = "JSON",
      description =
          "What the steps work on, and their options: JSON, @file, or - for standard input.")
  private @Nullable String input;

  WorkflowCommand(CommandSession session) {
    super(session);
  }

  @Override
  public Integer call() {
    if (name == null) throw CommandFailure.usage("NAME is missing: expected what to call it");
    if (steps.isEmpty()) {
      throw CommandFailure.usage("--steps is missing: expected such as validate,transform,store");
    }
    var names = steps.stream().flatMap(some -> Stream.of(some.split(",", -1))).toList();
    if (names.stream().anyMatch(String::isBlank)) {
      throw CommandFailure.usage(
          "--steps has an empty name: expected such as validate,transform,store");
    }
    PriorityNames.check(priority);
    var body = Json.object().put("name", name);
    body.set("steps", Json.tree(names));
    if (priority != null) body.put("priority", priority);
    if (input != null) body.set("input", PayloadText.read("--input", input, terminal().in()));
    return submit.submit(session, client, ExecutionKind.WORKFLOW, body);
  }
}
