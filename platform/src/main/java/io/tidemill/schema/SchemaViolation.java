package io.tidemill.schema;

import io.tidemill.json.Json;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A violation of a contract's schema.
///
/// @param path JSON pointer into the value; empty = the whole message
public record SchemaViolation(String path, String message) {
  /// A violation by the whole message.
  public static List<SchemaViolation> of(String message) {
    return List.of(new SchemaViolation("", message));
  }

  public static ArrayNode encode(List<SchemaViolation> violations) {
    var list = Json.object().putArray("violations");
    violations.forEach(each -> list.add(each.encode()));
    return list;
  }

  private ObjectNode encode() {
    return Json.object().put("path", path).put("message", message);
  }

  /// In one line.
  public String text() {
    return path.isEmpty() ? message : path + ": " + message;
  }
}
