package io.tidemill.gateway.mcp;

import io.tidemill.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One message of JSON-RPC 2.0, as MCP clients send it; every input is one of these.
sealed interface McpMessage {
  int NOT_JSON = -32700;
  int NOT_A_MESSAGE = -32600;

  /// A request that expects a response.
  ///
  /// @param id a text or a whole number
  record Call(JsonNode id, String method, ObjectNode params) implements McpMessage {
    /// A member of `params._meta`; missing when there is none.
    JsonNode meta(String name) {
      return params.path("_meta").path(name);
    }
  }

  /// A request without response.
  record Notice(String method, ObjectNode params) implements McpMessage {}

  /// A response, though we send no requests.
  record Reply() implements McpMessage {}

  /// Not a valid message.
  ///
  /// @param id of the request, if there is one
  record Wrong(int code, String why, @Nullable JsonNode id) implements McpMessage {}

  static McpMessage decode(byte[] body) {
    JsonNode tree;
    try {
      tree = Json.parse(body);
    } catch (JacksonException notJson) {
      return new Wrong(NOT_JSON, "the body is " + Json.fault(notJson), null);
    }
    if (tree.isArray()) {
      return new Wrong(NOT_A_MESSAGE, "send one message at a time: batches are not taken", null);
    }
    if (!tree.isObject()) return new Wrong(NOT_A_MESSAGE, "the body must be a JSON object", null);
    return decode(tree);
  }

  private static McpMessage decode(JsonNode tree) {
    var id = tree.get("id");
    var hasId = id != null && isId(id);
    if (!tree.path("jsonrpc").asString("").equals("2.0")) {
      return new Wrong(NOT_A_MESSAGE, "jsonrpc must be \"2.0\"", hasId ? id : null);
    }
    var method = tree.get("method");
    if (method == null && (tree.has("result") || tree.has("error"))) return new Reply();
    if (method == null || !method.isString()) {
      return new Wrong(NOT_A_MESSAGE, "method must be a text", hasId ? id : null);
    }
    var params = tree.get("params");
    if (params != null && !params.isObject()) {
      return new Wrong(NOT_A_MESSAGE, "params must be a JSON object", hasId ? id : null);
    }
    var given = params == null ? Json.object() : (ObjectNode) params;
    if (id == null) return new Notice(method.stringValue(), given);
    if (!hasId) return new Wrong(NOT_A_MESSAGE, "id must be a text or a whole number", null);
    return new Call(id, method.stringValue(), given);
  }

  private static boolean isId(JsonNode id) {
    return id.isString() || id.isIntegralNumber();
  }
}
