package io.tidemill.contract.job;

import io.tidemill.json.Json;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads and writes announcements of tools (C3.11); every input has an answer.
public final class ToolCodec {
  /// When it was announced last: epoch ms, by Redis' clock.
  public static final String SEEN = "seen";

  /// Larger announcements are ignored, because every client would get them.
  public static final int MAX_BYTES = 64 * 1024;

  private static final int MAX_NAME = 128;
  private static final String ANNOTATIONS = "annotations";
  private static final String READ_ONLY = "readOnlyHint";

  private ToolCodec() {}

  /// A tool and the time of its last announcement.
  public record Announcement(ToolSpec tool, long seenAt) {}

  /// The tool as clients get it.
  public static ObjectNode encode(ToolSpec tool) {
    var tree = Json.object().put("name", tool.name()).put("description", tool.description());
    tree.set("inputSchema", tool.inputSchema());
    if (tool.readOnly()) annotate(tree);
    return tree;
  }

  /// Adds the annotation of MCP for a tool that only reads.
  public static void annotate(ObjectNode tool) {
    tool.putObject(ANNOTATIONS).put(READ_ONLY, true);
  }

  /// Decodes an announcement; empty when clients could not use it.
  public static Optional<Announcement> decode(String name, String json) {
    if (json.length() > MAX_BYTES || !isName(name)) return Optional.empty();
    try {
      var tree = Json.parse(json);
      var seen = tree.path(SEEN);
      var schema = tree.path("inputSchema");
      if (!seen.canConvertToLong() || schemaFault(schema).isPresent()) return Optional.empty();
      var description = tree.path("description").asString("");
      return Optional.of(
          new Announcement(
              new ToolSpec(name, description, (ObjectNode) schema, isReadOnly(tree)),
              seen.asLong()));
    } catch (JacksonException notJson) {
      return Optional.empty();
    }
  }

  // Any other value counts as false.
  private static boolean isReadOnly(JsonNode tree) {
    var hint = tree.path(ANNOTATIONS).path(READ_ONLY);
    return hint.isBoolean() && hint.booleanValue();
  }

  /// Whether this is a valid name of a tool.
  public static boolean isName(String name) {
    return !name.isBlank()
        && name.length() <= MAX_NAME
        && name.chars().noneMatch(Character::isISOControl);
  }

  /// Why clients can't use this as a schema of arguments; empty when they can. Some clients drop
  /// the whole list for one broken schema.
  public static Optional<String> schemaFault(JsonNode schema) {
    if (!schema.isObject()) return Optional.of("is not a JSON object");
    if (!schema.path("type").asString("").equals("object")) {
      return Optional.of("must have \"type\": \"object\"");
    }
    var properties = schema.get("properties");
    if (properties != null
        && !(properties.isObject() && properties.valueStream().allMatch(JsonNode::isObject))) {
      return Optional.of("must have an object of objects as \"properties\"");
    }
    var required = schema.get("required");
    if (required != null
        && !(required.isArray() && required.valueStream().allMatch(JsonNode::isString))) {
      return Optional.of("must have a list of names as \"required\"");
    }
    return Optional.empty();
  }
}
