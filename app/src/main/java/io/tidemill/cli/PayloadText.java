package io.tidemill.cli;

import io.tidemill.contract.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// A payload as people give it: JSON, `@file`, `-` for standard input, or nothing.
final class PayloadText {
  private PayloadText() {}

  static JsonNode read(@Nullable String argument, InputStream in) {
    if (argument == null) return Json.object();
    JsonNode tree;
    try {
      tree = parse(argument, in);
    } catch (JacksonException notJson) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "JSON is %s: expected an object such as '{\"name\":\"echo\"}'"
              .formatted(Json.fault(notJson)),
          notJson);
    } catch (IOException unreadable) {
      throw new CommandFailure(
          ExitCode.USAGE, "JSON is '" + argument + "', which can't be read", unreadable);
    }
    if (tree.isObject()) return tree;
    throw CommandFailure.usage("JSON must be an object, such as '{\"name\":\"echo\"}'");
  }

  private static JsonNode parse(String argument, InputStream in) throws IOException {
    if (argument.equals("-")) return Json.parse(in.readAllBytes());
    if (argument.startsWith("@")) {
      return Json.parse(Files.readAllBytes(Path.of(argument.substring(1))));
    }
    return Json.parse(argument);
  }
}
