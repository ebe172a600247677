package io.tidemill.cli.resource;

import io.tidemill.cli.client.ClientCommand;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.EventFollower;
import io.tidemill.cli.client.GatewayClient;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.cli.terminal.Terminal;
import java.net.URI;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `tidemill ... follow ID`: prints the events up to the last one, then the result.
@Command(name = "follow")
public final class FollowCommand extends ClientCommand {
  private final Resource resource;
  private final Function<Terminal, FollowView> view;

  @Parameters private String id = "";

  private FollowCommand(
      CommandSession session, Resource resource, Function<Terminal, FollowView> view) {
    super(session);
    this.resource = resource;
    this.view = view;
  }

  public static CommandLine of(
      CommandSession session,
      Resource resource,
      String description,
      Function<Terminal, FollowView> view) {
    return resource.commandLine(new FollowCommand(session, resource, view), description, "");
  }

  @Override
  public Integer call() {
    var terminal = terminal();
    var gateway = gateway();
    return follow(gateway, terminal, client.isJson(), resource, id, view.apply(terminal));
  }

  /// Follows one to its end.
  ///
  /// @param json whether a script reads along
  /// @return the exit code: 0 when it ended well
  public static int follow(
      GatewayClient gateway,
      Terminal terminal,
      boolean json,
      Resource resource,
      String id,
      FollowView view) {
    var path = resource.path(id);
    var success =
        new EventFollower(terminal, json, view, view::isLast)
            .follow(gateway, path + "/events", resource.advice(id))
            // A script has read the last event; for people the result follows.
            .filter(_ -> json)
            .flatMap(view::success)
            .orElseGet(() -> {
              var outcome = gateway.get(view.outcome(path));
              completeLinks(outcome, gateway.base());
              return view.finish(outcome, json);
            });
    return success ? ExitCode.OK : ExitCode.FAILED;
  }

  // Links may be paths; the host is the one that was asked.
  private static void completeLinks(JsonNode outcome, URI gateway) {
    for (var file : outcome.path("files")) {
      if (file instanceof ObjectNode named && file.path("url").asString("").startsWith("/")) {
        named.put("url", gateway.resolve(file.path("url").asString()).toString());
      }
    }
  }
}
