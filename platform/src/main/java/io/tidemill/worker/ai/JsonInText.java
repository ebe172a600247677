package io.tidemill.worker.ai;

import io.tidemill.json.Json;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/// Finds JSON objects in a model's answer, between fences, greetings and explanations.
final class JsonInText {
  // Each try reads the rest of the text.
  private static final int MOST_BEGINNINGS = 50;

  private JsonInText() {}

  /// The objects in order of their beginnings, inner ones among them.
  static Stream<ObjectNode> objects(String text) {
    return IntStream.iterate(text.indexOf('{'), at -> at >= 0, at -> text.indexOf('{', at + 1))
        .limit(MOST_BEGINNINGS)
        .mapToObj(at -> object(text, at))
        .flatMap(Optional::stream);
  }

  private static Optional<ObjectNode> object(String text, int start) {
    var end = end(text, start);
    if (end < 0) return Optional.empty();
    try {
      return Json.parse(text.substring(start, end)) instanceof ObjectNode object
          ? Optional.of(object)
          : Optional.empty();
    } catch (JacksonException notJson) {
      return Optional.empty();
    }
  }

  // Behind the brace that closes the one at the start; -1 when there is none.
  private static int end(String text, int start) {
    var depth = 0;
    var quoted = false;
    for (int at = start; at < text.length(); at++) {
      var c = text.charAt(at);
      if (quoted) {
        if (c == '\\') at++;
        else if (c == '"') quoted = false;
      } else if (c == '"') {
        quoted = true;
      } else if (c == '{') {
        depth++;
      } else if (c == '}' && --depth == 0) {
        return at + 1;
      }
    }
    return -1;
  }
}
