package io.tidemill.cli.client;

import io.tidemill.cli.terminal.CommandFailure;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// A payload as people give it: JSON, `@file`, `-` for standard input, or nothing.
public final class PayloadText {
  private PayloadText() {}

  /// @param name of the argument, as people know it
  public static JsonNode read(String name, @Nullable String argument, InputStream in) {
    if (argument == null) return Json.object();
    JsonNode tree;
    try {
      tree = parse(argument, in);
    } catch (JacksonException notJson) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "%s is %s: expected an object, @FILE or -".formatted(name, Json.fault(notJson)),
          notJson);
    } catch (IOException unreadable) {
      throw new CommandFailure(
          ExitCode.USAGE, name + " is '" + argument + "', which can't be read", unreadable);
    }
    if (tree.isObject()) return tree;
    throw CommandFailure.usage(name + " must be an object, such as '{\"name\":\"echo\"}'");
  }

  private static JsonNode parse(String argument, InputStream in) throws IOException {
    if (argument.equals("-")) return Json.parse(in.readAllBytes());
    if (argument.startsWith("@")) {
      return Json.parse(Files.readAllBytes(Path.of(argument.substring(1))));
    }
    return Json.parse(argument);
  }
}
