package io.tidemill.cli.deadletter;

import io.tidemill.cli.client.ClientOptions;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.GatewayClient;
import io.tidemill.cli.client.OptionValue;
import io.tidemill.cli.resource.FollowCommand;
import io.tidemill.cli.terminal.CommandFailure;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.cli.terminal.Terminal;
import io.tidemill.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Which dead letters are to be handled together, and how fast. The gateway does it, whatever
/// becomes of us.
final class DeadSelection {
  @Option(names = "--all", description = "All that are dead now.")
  boolean all;

  @Option(
      names = "--source",
      paramLabel = "SOURCE",
      description = DeadCommands.SOURCES,
      completionCandidates = DeadSourceNames.class)
  @Nullable String source;

  @Option(names = "--cause", paramLabel = "CAUSE", description = "Those of one of dead causes.")
  @Nullable String cause;

  @Option(
      names = "--query",
      paramLabel = "TEXT",
      description = "Those that say this in id, key, origin, reason or message.")
  @Nullable String query;

  @Option(names = "--dry-run", description = "Only say which.")
  boolean dryRun;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "At most so many in a second: the gateway does it, 50 by default.")
  @Nullable Integer rate;

  @Option(names = "--follow", description = "Let the gateway do it, and watch it to its end.")
  boolean follow;

  boolean isFiltered() {
    return cause != null || query != null;
  }

  /// Refuses what can't be asked for.
  ///
  /// @param verb the name of the command
  /// @param ids those that were named
  void check(String verb, List<String> ids) {
    if ((all || isFiltered()) == !ids.isEmpty()) {
      throw CommandFailure.usage(verb + " needs either ids or --all, --cause or --query");
    }
    DeadSourceNames.check(source);
    OptionValue.between("--rate", rate, 1, 1_000);
  }

  /// Lets the gateway begin.
  ///
  /// @param ids empty = all that match
  int begin(Action action, List<String> ids, CommandSession session, ClientOptions client) {
    var gateway = client.gateway(session);
    var answer = gateway.post("/api/dead/redrives", request(action, ids, dryRun));
    if (dryRun) return show(answer, action, session, client);
    var id = answer.path("id").asString("");
    var count = answer.path("count").asLong(0);
    if (follow) return follow(id, gateway, session.terminal(), client.isJson());
    if (client.isJson()) session.terminal().json(answer);
    else {
      session.terminal().line(Terminal.clean(id));
      session
          .terminal()
          .note(
              "%d %s %s; watch: tidemill dead follow %s"
                  .formatted(count, count == 1 ? "is" : "are", action.done(), Terminal.clean(id)));
    }
    return ExitCode.OK;
  }

  private static int follow(String id, GatewayClient gateway, Terminal terminal, boolean json) {
    var view = new RedrivePrinter(terminal);
    return FollowCommand.follow(gateway, terminal, json, DeadCommands.REDRIVE, id, view);
  }

  // A cause belongs to exactly one source.
  private ObjectNode request(Action action, List<String> ids, boolean dry) {
    var request = Json.object().put("dryRun", dry);
    if (action == Action.DISCARD) request.put("action", "discard");
    var isAnywhere = !ids.isEmpty() || cause != null;
    request.put(
        "source",
        source == null ? isAnywhere ? DeadSourceNames.ALL : DeadSourceNames.JOBS : source);
    if (cause != null) request.put("cause", cause);
    if (query != null) request.put("q", query);
    if (rate != null) request.put("ratePerSecond", rate);
    if (!ids.isEmpty()) ids.forEach(request.putArray("ids")::add);
    return request;
  }

  private static int show(
      JsonNode answer, Action action, CommandSession session, ClientOptions client) {
    if (client.isJson()) {
      session.terminal().json(answer);
      return ExitCode.OK;
    }
    for (var id : answer.path("ids")) session.terminal().line(Terminal.clean(id.asString("")));
    for (var refused : answer.path("refused")) {
      session
          .terminal()
          .error(refused.path("id").asString("") + ": " + refused.path("why").asString(""));
    }
    session.terminal().note(answer.path("count").asLong(0) + " would be " + action.done());
    return ExitCode.OK;
  }

  /// How many the gateway would take.
  long count(Action action, List<String> ids, GatewayClient gateway) {
    return gateway.post("/api/dead/redrives", request(action, ids, true)).path("count").asLong(0);
  }

  /// What is to be done.
  enum Action {
    REDRIVE,
    DISCARD;

    String done() {
      return switch (this) {
        case REDRIVE -> "redriven";
        case DISCARD -> "discarded";
      };
    }
  }
}
