package io.tidemill.cli.deadletter;

import io.tidemill.cli.client.ClientCommand;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.GatewayClient;
import io.tidemill.cli.terminal.CommandFailure;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/// `tidemill dead edit ID`
@Command(
    name = "edit",
    description = {
      "Edit a dead letter, then send it back to where it came from.",
      "Without --value the editor of $VISUAL or $EDITOR opens."
    },
    footer = "tidemill dead edit workflows:0-12 --value mended.json")
final class DeadEditCommand extends ClientCommand {
  @Parameters(paramLabel = "ID", description = "The entry's id, from dead list.")
  private String id = "";

  @Option(
      names = "--value",
      paramLabel = "FILE",
      description = "The value; - reads standard input.")
  private @Nullable String value;

  @Option(names = "--check", description = "Only say whether it fits its contract.")
  private boolean check;

  @Option(names = "--again", description = "Even if it was redriven before.")
  private boolean again;

  DeadEditCommand(CommandSession session) {
    super(session);
  }

  @Override
  public Integer call() {
    var gateway = gateway();
    var path = DeadCommands.ENTRY.path(id);
    var text = value == null ? edited(gateway.get(path)) : read(value);
    var form = Json.object().put("value", text);
    var where = check ? "/check" : "/redrive" + (again ? "?again=true" : "");
    var answer = gateway.askPost(path + where, form);
    var violations = answer.body().path("violations");
    if (violations.isEmpty() && !answer.isOk()) throw GatewayClient.refused(answer);
    if (client.isJson()) terminal().json(answer.body());
    else print(answer, violations);
    return violations.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
  }

  private void print(GatewayClient.Answer answer, JsonNode violations) {
    for (var violation : violations) {
      var place = violation.path("path").asString("");
      var message = violation.path("message").asString("");
      terminal().error(place.isEmpty() ? message : place + ": " + message);
    }
    if (!violations.isEmpty()) return;
    terminal().line(check ? "it fits" : DeadRedriveCommand.line(id, answer.body()));
  }

  private String read(String file) {
    try {
      var bytes =
          file.equals("-") ? terminal().in().readAllBytes() : Files.readAllBytes(Path.of(file));
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException | RuntimeException unreadable) {
      throw new CommandFailure(
          ExitCode.USAGE, "--value is '" + file + "', which can't be read", unreadable);
    }
  }

  private String edited(JsonNode dead) {
    var text = dead.path("value");
    if (!text.isString() || !dead.path("editable").asBoolean(false)) {
      throw CommandFailure.usage(id + " can't be edited here: give its value with --value");
    }
    var before = text.stringValue();
    try {
      var file = Files.createTempFile("tidemill-dead-", ".json");
      try {
        Files.writeString(file, before);
        edit(file);
        var after = Files.readString(file);
        if (after.equals(before)) throw new CommandFailure(ExitCode.FAILED, "nothing was changed");
        return after;
      } finally {
        Files.deleteIfExists(file);
      }
    } catch (IOException failed) {
      throw new CommandFailure(
          ExitCode.FAILED, "the editor can't be used: " + failed.getMessage(), failed);
    }
  }

  private void edit(Path file) throws IOException {
    var env = session.env();
    var editor = env.getOrDefault("VISUAL", env.getOrDefault("EDITOR", ""));
    if (editor.isBlank()) throw CommandFailure.usage("set EDITOR, or give the value with --value");
    try {
      // By the shell, as everywhere on Unix: EDITOR may have arguments.
      var command = List.of("sh", "-c", editor + " \"$1\"", "sh", file.toString());
      var end = new ProcessBuilder(command).inheritIO().start().waitFor();
      if (end != 0) throw new CommandFailure(ExitCode.FAILED, "the editor ended with " + end);
    } catch (InterruptedException interrupt) {
      throw CommandFailure.interrupted(interrupt);
    }
  }
}
