package io.tidemill.gateway.mcp;

import io.tidemill.http.Response;
import io.tidemill.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/// Messages to MCP clients in JSON-RPC 2.0.
final class McpReply {
  static final int UNKNOWN_METHOD = -32601;
  static final int BAD_PARAMS = -32602;
  static final int BROKEN = -32603;

  private McpReply() {}

  /// A refusal.
  ///
  /// @param status of HTTP
  /// @param data details for programs
  record Fault(int status, int code, String message, @Nullable ObjectNode data) {
    /// In the response to a call.
    static Fault of(int code, String message) {
      return new Fault(200, code, message, null);
    }

    /// For the whole HTTP request.
    static Fault bad(int code, String message) {
      return new Fault(400, code, message, null);
    }

    Response response(@Nullable JsonNode id) {
      return Response.json(status, message(id));
    }

    ObjectNode message(@Nullable JsonNode id) {
      var tree = McpReply.message(id);
      var error = tree.putObject("error").put("code", code).put("message", message);
      if (data != null) error.set("data", data);
      return tree;
    }
  }

  static ObjectNode result(JsonNode id, ObjectNode result) {
    var tree = message(id);
    tree.set("result", result);
    return tree;
  }

  /// A progress notification.
  static ObjectNode progress(JsonNode token, double progress, String message) {
    var tree = Json.object().put("jsonrpc", "2.0").put("method", "notifications/progress");
    var params = tree.putObject("params");
    params.set("progressToken", token);
    params.put("progress", progress).put("total", 1).put("message", message);
    return tree;
  }

  private static ObjectNode message(@Nullable JsonNode id) {
    var tree = Json.object().put("jsonrpc", "2.0");
    tree.set("id", id == null ? NullNode.getInstance() : id);
    return tree;
  }
}
