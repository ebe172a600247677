package io.tidemill.cli.resource;

import io.tidemill.cli.client.ClientOptions;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.cli.terminal.Terminal;
import io.tidemill.json.Json;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/// `tidemill ... cancel ID`: by `POST` with a reason where the gateway keeps one, else by `DELETE`.
@Command(name = "cancel")
public final class CancelCommand implements Callable<Integer> {
  private final CommandSession session;
  private final Resource resource;
  private final @Nullable OptionSpec reason;

  @Mixin private ClientOptions client = new ClientOptions();

  @Parameters private String id = "";

  private CancelCommand(CommandSession session, Resource resource, @Nullable OptionSpec reason) {
    this.session = session;
    this.resource = resource;
    this.reason = reason;
  }

  /// Of what can be canceled without a reason only.
  public static CommandLine of(CommandSession session, Resource resource, String description) {
    return resource.commandLine(new CancelCommand(session, resource, null), description, "");
  }

  /// Of what can be given a reason.
  ///
  /// @param follower who will read it, as the help says: those who follow ...
  /// @param options more of the example, behind the id; may be empty
  public static CommandLine withReason(
      CommandSession session,
      Resource resource,
      String description,
      String follower,
      String options) {
    var reason =
        OptionSpec.builder("--reason")
            .type(String.class)
            .paramLabel("R")
            .description("Why, for those who follow " + follower + ".")
            .build();
    var command = new CancelCommand(session, resource, reason);
    var commandLine = resource.commandLine(command, description, options);
    commandLine.getCommandSpec().addOption(reason);
    return commandLine;
  }

  @Override
  public Integer call() {
    var answer = cancel(resource.path(id));
    if (client.isJson()) session.terminal().json(answer);
    else session.terminal().line(reason == null ? "canceled" : "canceled, was " + was(answer));
    return ExitCode.OK;
  }

  private JsonNode cancel(String path) {
    var gateway = client.gateway(session);
    if (reason == null) return gateway.delete(path);
    var body = Json.object();
    String why = reason.getValue();
    if (why != null) body.put("reason", why);
    return gateway.post(path + "/cancel", body, Map.of());
  }

  private static String was(JsonNode answer) {
    return Terminal.oneLine(answer.path("was").asString("unknown"));
  }
}
