package io.tidemill.gateway.mcp;

import io.tidemill.contract.job.ToolCodec;
import io.tidemill.gateway.mcp.McpMessage.Call;
import io.tidemill.gateway.mcp.McpMessage.Wrong;
import io.tidemill.http.Request;
import java.nio.charset.StandardCharsets;

/// Bodies of `POST /mcp`, and announcements of tools: each has an answer.
public final class McpTarget {
  private McpTarget() {}

  public static void fuzzerTestOneInput(byte[] body) {
    switch (McpMessage.decode(body)) {
      case Call call -> {
        if (!call.id().isString() && !call.id().isIntegralNumber()) {
          throw new AssertionError("id " + call.id());
        }
        var request = Request.of("POST", "/mcp").withHeader("MCP-Protocol-Version", "2026-07-28");
        var fault = McpVersion.fault(call, request.withHeader("Mcp-Name", call.method()));
        if (fault != null) fault.response(call.id());
      }
      case Wrong(var code, var why, _) -> {
        if (code > -32600 || why.isBlank()) throw new AssertionError(code + " " + why);
      }
      case McpMessage.Notice _, McpMessage.Reply _ -> {}
    }
    ToolCodec.decode("tool", new String(body, StandardCharsets.UTF_8))
        .ifPresent(heard -> {
          if (ToolCodec.schemaFault(heard.tool().inputSchema()).isPresent()) {
            throw new AssertionError("an unusable schema was let in");
          }
        });
  }
}
