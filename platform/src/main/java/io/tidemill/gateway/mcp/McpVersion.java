package io.tidemill.gateway.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.gateway.mcp.McpMessage.Call;
import io.tidemill.gateway.mcp.McpReply.Fault;
import io.tidemill.http.Request;
import io.tidemill.json.Json;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The versions of MCP that we speak. Up to 2025-11-25 a client and a server shake hands first
/// (`initialize`); from 2026-07-28 on every request says all there is to know, and headers repeat
/// it.
final class McpVersion {
  /// Requests that stand for themselves.
  static final String STATELESS = "2026-07-28";

  /// Those with a handshake, the latest first.
  static final List<String> SHAKING = List.of("2025-11-25", "2025-06-18", "2025-03-26");

  static final List<String> ALL = Stream.concat(Stream.of(STATELESS), SHAKING.stream()).toList();

  private static final String HEADER = "MCP-Protocol-Version";
  private static final String META = "io.modelcontextprotocol/protocolVersion";
  private static final String CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
  private static final int HEADER_MISMATCH = -32020;
  private static final int UNSUPPORTED = -32022;
  private static final String ENCODED = "=?base64?";
  private static final String ENCODED_END = "?=";

  private McpVersion() {}

  /// What a handshake agrees on: what the client wants, or else the latest of ours.
  static String agreed(String wanted) {
    return SHAKING.contains(wanted) ? wanted : SHAKING.getFirst();
  }

  /// Whether the request stands for itself.
  static boolean isStateless(Call call, Request request) {
    var claimed = call.meta(META);
    return claimed.isString()
        ? !SHAKING.contains(claimed.stringValue())
        : request.header(HEADER).filter(STATELESS::equals).isPresent();
  }

  /// Why the request's words on its version can't be relied on; null when they can.
  static @Nullable Fault fault(Call call, Request request) {
    var header = request.header(HEADER).orElse("");
    if (isStateless(call, request)) return fault(call, request, header);
    // A client that shakes hands does not know the version yet.
    if (header.isEmpty() || call.method().equals("initialize") || SHAKING.contains(header)) {
      return null;
    }
    return unsupported(header);
  }

  private static @Nullable Fault fault(Call call, Request request, String header) {
    var claimed = call.meta(META);
    if (!claimed.isString()) return Fault.bad(McpReply.BAD_PARAMS, missing(META, "a version"));
    if (!header.equals(claimed.stringValue())) return mismatch(HEADER, "params._meta's version");
    if (!header.equals(STATELESS)) return unsupported(header);
    if (!call.meta(CAPABILITIES).isObject()) {
      return Fault.bad(McpReply.BAD_PARAMS, missing(CAPABILITIES, "an object"));
    }
    if (!request.header("Mcp-Method").orElse("").equals(call.method())) {
      return mismatch("Mcp-Method", "method");
    }
    var name = call.params().path("name").asString("");
    if (call.method().equals("tools/call") && !name(request).equals(name)) {
      return mismatch("Mcp-Name", "params.name");
    }
    return null;
  }

  private static String missing(String key, String expected) {
    return "params._meta must have %s as \"%s\"".formatted(expected, key);
  }

  private static Fault mismatch(String header, String what) {
    return Fault.bad(HEADER_MISMATCH, "the header %s must equal %s".formatted(header, what));
  }

  private static Fault unsupported(String version) {
    var data = Json.object();
    data.set("supported", Json.tree(ALL));
    data.put("requested", version);
    return new Fault(
        400,
        UNSUPPORTED,
        "this version of MCP is not known here; those are: " + String.join(", ", ALL),
        data);
  }

  // What a header can't carry as it is comes encoded.
  private static String name(Request request) {
    var text = request.header("Mcp-Name").orElse("");
    if (!text.startsWith(ENCODED) || !text.endsWith(ENCODED_END)) return text;
    try {
      var inner = text.substring(ENCODED.length(), text.length() - ENCODED_END.length());
      return new String(Base64.getDecoder().decode(inner), UTF_8);
    } catch (IllegalArgumentException | StringIndexOutOfBoundsException notEncoded) {
      return "";
    }
  }
}
