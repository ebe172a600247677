package io.tidemill.cli.resource;

import io.tidemill.cli.client.ClientCommand;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.terminal.CommandFailure;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.cli.terminal.Terminal;
import io.tidemill.json.Json;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/// `tidemill ... cancel ID`: by `POST` with a reason where the gateway keeps one, else by `DELETE`.
@Command(name = "cancel")
public final class CancelCommand extends ClientCommand {
  private final Resource resource;
  private final @Nullable OptionSpec reason;

  @Parameters private String id = "";

  private CancelCommand(CommandSession session, Resource resource, @Nullable OptionSpec reason) {
    super(session);
    this.resource = resource;
    this.reason = reason;
  }

  /// Of what can be canceled without a reason only.
  public static CommandLine of(CommandSession session, Resource resource, String description) {
    return resource.commandLine(new CancelCommand(session, resource, null), description, "");
  }

  /// Of what can be given a reason.
  ///
  /// @param follower the object of "those who follow" in the help
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
    if (!answer.path("updated").asBoolean(true)) throw alreadyEnded(answer);
    return print(
        answer,
        () -> terminal().line(reason == null ? "canceled" : "canceled, was " + was(answer)));
  }

  private JsonNode cancel(String path) {
    var gateway = gateway();
    if (reason == null) return gateway.delete(path);
    var body = Json.object();
    String why = reason.getValue();
    if (why != null) body.put("reason", why);
    return gateway.post(path + "/cancel", body);
  }

  // With `compat.originals` the gateway says so of a job by an answer that is no refusal.
  private static CommandFailure alreadyEnded(JsonNode answer) {
    var status = Terminal.oneLine(answer.path("status").asString("unknown"));
    return new CommandFailure(ExitCode.FAILED, "the job has already ended as " + status);
  }

  private static String was(JsonNode answer) {
    return Terminal.oneLine(answer.path("was").asString("unknown"));
  }
}
