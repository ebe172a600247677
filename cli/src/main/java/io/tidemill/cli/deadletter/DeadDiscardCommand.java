package io.tidemill.cli.deadletter;

import io.tidemill.cli.client.ClientCommand;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.GatewayClient;
import io.tidemill.cli.terminal.CommandFailure;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.cli.terminal.Terminal;
import io.tidemill.json.Json;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `tidemill dead discard ID...`
@Command(
    name = "discard",
    description = {
      "Discard dead letters.",
      "Queue entries and messages are gone for good; records, tasks and pages are shown no longer."
    },
    footer = "tidemill dead discard --source jobs --cause 0f3c5b6a7d8e9f01 --yes")
final class DeadDiscardCommand extends ClientCommand {
  @Parameters(arity = "0..*", paramLabel = "ID", description = "The entries, from dead list.")
  private List<String> ids = List.of();

  @Mixin private DeadSelection many = new DeadSelection();

  @Option(
      names = "--yes",
      description = "Do it: without it --all, --cause and --query only say how many.")
  private boolean yes;

  DeadDiscardCommand(CommandSession session) {
    super(session);
  }

  @Override
  public Integer call() {
    many.check("discard", ids);
    if (many.dryRun || many.rate != null || many.follow || ids.isEmpty()) return discardMany();
    return discardEach();
  }

  private int discardMany() {
    if (!many.dryRun && !yes && ids.isEmpty()) {
      var count = many.count(DeadSelection.Action.DISCARD, ids, gateway());
      throw CommandFailure.usage(
          "%d would be discarded for good: --yes does it, --dry-run says which".formatted(count));
    }
    return many.begin(DeadSelection.Action.DISCARD, ids, session, client);
  }

  private int discardEach() {
    var gateway = gateway();
    var discarded = 0;
    var failed = 0;
    for (var id : ids) {
      var path = DeadCommands.ENTRY.path(id) + "/discard";
      var answer = gateway.askPost(path, Json.object());
      if (answer.isOk()) {
        discarded++;
        if (!client.isJson()) terminal().line(Terminal.clean(id + " is discarded"));
        continue;
      }
      if (answer.status() == 401 || answer.status() >= 500) throw GatewayClient.refused(answer);
      failed++;
      terminal().error(id + ": " + GatewayClient.refused(answer).getMessage());
    }
    if (client.isJson()) {
      terminal().json(Json.object().put("discarded", discarded).put("failed", failed));
    }
    return failed == 0 ? ExitCode.OK : ExitCode.FAILED;
  }
}
