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

/// The supported versions of MCP. Up to 2025-11-25 there is a handshake (`initialize`); from
/// 2026-07-28 on requests are stateless, and headers repeat version, method and name.
final class McpVersion {
  /// The version without handshake.
  static final String STATELESS = "2026-07-28";

  /// The versions with a handshake, the latest first.
  static final List<String> WITH_HANDSHAKE = List.of("2025-11-25", "2025-06-18", "2025-03-26");

  static final List<String> ALL =
      Stream.concat(Stream.of(STATELESS), WITH_HANDSHAKE.stream()).toList();

  private static final String HEADER = "MCP-Protocol-Version";
  private static final String META = "io.modelcontextprotocol/protocolVersion";
  private static final String CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
  private static final int HEADER_MISMATCH = -32020;
  private static final int UNSUPPORTED = -32022;
  private static final String ENCODED = "=?base64?";
  private static final String ENCODED_END = "?=";

  private McpVersion() {}

  /// The version of a handshake: that of the client if it is known, else our latest.
  static String agreed(String wanted) {
    return WITH_HANDSHAKE.contains(wanted) ? wanted : WITH_HANDSHAKE.getFirst();
  }

  /// Whether the request is of a version without handshake.
  static boolean isStateless(Call call, Request request) {
    var claimed = call.meta(META);
    return claimed.isString()
        ? !WITH_HANDSHAKE.contains(claimed.stringValue())
        : request.header(HEADER).filter(STATELESS::equals).isPresent();
  }

  /// The fault in the request's version and headers; null when there is none.
  static @Nullable Fault fault(Call call, Request request) {
    var header = request.header(HEADER).orElse("");
    if (isStateless(call, request)) return fault(call, request, header);
    // Before the handshake the client does not know the version.
    if (header.isEmpty() || call.method().equals("initialize") || WITH_HANDSHAKE.contains(header)) {
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

  // Names that a header can't carry come encoded.
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
