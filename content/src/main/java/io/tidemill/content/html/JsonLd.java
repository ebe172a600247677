package io.tidemill.content.html;

import io.tidemill.json.Json;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// The dates in a page's JSON-LD; what is not JSON has none.
///
/// @param published as written; null when not given
/// @param modified as written; null when not given
record JsonLd(@Nullable String published, @Nullable String modified) {
  private static final int MAX_LENGTH = 512 * 1024;
  private static final int MAX_NODES = 10_000;
  private static final JsonLd NOTHING = new JsonLd(null, null);

  static JsonLd of(String script) {
    if (script.length() > MAX_LENGTH || !script.contains("\"date")) return NOTHING;
    try {
      return search(Json.parse(script.strip()));
    } catch (JacksonException notJson) {
      return NOTHING;
    }
  }

  // Level by level: what is nearest the top is about the page, below it are comments and reviews.
  private static JsonLd search(JsonNode root) {
    var waiting = new ArrayDeque<JsonNode>();
    waiting.add(root);
    var found = NOTHING;
    for (var seen = 0; seen < MAX_NODES && !waiting.isEmpty(); seen++) {
      var node = waiting.remove();
      var published = found.published == null ? text(node, "datePublished") : found.published;
      var modified = found.modified == null ? text(node, "dateModified") : found.modified;
      found = new JsonLd(published, modified);
      if (published != null && modified != null) break;
      for (var child : node) if (child.isContainer()) waiting.add(child);
    }
    return found;
  }

  private static @Nullable String text(JsonNode node, String field) {
    var value = node.isObject() ? node.get(field) : null;
    return value != null && value.isString() ? value.stringValue() : null;
  }
}
