package io.tidemill.observe;

import io.tidemill.json.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One request that changed something, or was refused to.
///
/// @param who a name, the mark of a key, or `anonymous`
/// @param role empty when the caller is unknown
/// @param address of the client
/// @param route the pattern of the path, such as `/api/crawls/{id}`
/// @param path as received, with its query
/// @param detail why it was refused, or what exactly was changed; may be empty
/// @param trace the id of its trace
public record AuditEntry(
    String who,
    String role,
    String address,
    String method,
    String route,
    String path,
    int status,
    String detail,
    String trace) {
  public ObjectNode encode() {
    return Json.object()
        .put("who", who)
        .put("role", role)
        .put("address", address)
        .put("method", method)
        .put("route", route)
        .put("path", path)
        .put("status", status)
        .put("detail", detail)
        .put("trace", trace);
  }

  public static AuditEntry decode(JsonNode tree) {
    return new AuditEntry(
        tree.path("who").asString(""),
        tree.path("role").asString(""),
        tree.path("address").asString(""),
        tree.path("method").asString(""),
        tree.path("route").asString(""),
        tree.path("path").asString(""),
        tree.path("status").asInt(0),
        tree.path("detail").asString(""),
        tree.path("trace").asString(""));
  }
}
