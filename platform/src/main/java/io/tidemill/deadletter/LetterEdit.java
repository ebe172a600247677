package io.tidemill.deadletter;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.http.Parameters;
import io.tidemill.json.Json;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// What somebody wants a letter to say instead.
///
/// @param value null = as it was
/// @param headers all of them; null = as they were
public record LetterEdit(@Nullable String value, @Nullable List<Header> headers) {
  public static final LetterEdit NONE = new LetterEdit(null, null);

  private static final int MOST_HEADERS = 200;

  /// @param value text, number and so on as JSON, or bytes
  public record Header(String name, Object value) {
    /// As bytes on the wire; what is no text as its JSON.
    public byte[] bytes() {
      return switch (value) {
        case byte[] bytes -> bytes;
        case String text -> text.getBytes(UTF_8);
        default -> Json.bytes(value);
      };
    }
  }

  public boolean isNone() {
    return value == null && headers == null;
  }

  /// The body of a request; an empty one changes nothing.
  ///
  /// @throws Parameters.Wrong that names the field
  public static LetterEdit of(byte[] body) {
    if (body.length == 0) return NONE;
    var tree = parse(body);
    return new LetterEdit(value(tree.get("value")), headers(tree.get("headers")));
  }

  private static JsonNode parse(byte[] body) {
    try {
      var tree = Json.parse(body);
      if (tree.isObject()) return tree;
    } catch (JacksonException notJson) {
      // said below
    }
    throw new Parameters.Wrong("the body", "a JSON object");
  }

  private static @Nullable String value(@Nullable JsonNode node) {
    if (node == null || node.isNull()) return null;
    if (!node.isString()) throw new Parameters.Wrong("value", "a text");
    return node.stringValue();
  }

  private static @Nullable List<Header> headers(@Nullable JsonNode node) {
    if (node == null || node.isNull()) return null;
    if (!node.isArray() || node.size() > MOST_HEADERS) {
      throw new Parameters.Wrong("headers", "a list of at most " + MOST_HEADERS);
    }
    var headers = new ArrayList<Header>();
    for (var header : node) headers.add(header(header));
    return headers;
  }

  private static Header header(JsonNode node) {
    var name = node.path("name").asString("");
    if (name.isEmpty()) throw new Parameters.Wrong("headers", "objects with a name");
    var base64 = node.get("value_base64");
    if (base64 == null) {
      var value = node.get("value");
      if (value == null) throw new Parameters.Wrong("header " + name, "given a value");
      return new Header(name, plain(value));
    }
    try {
      return new Header(name, Base64.getDecoder().decode(base64.asString("?")));
    } catch (IllegalArgumentException notBase64) {
      throw new Parameters.Wrong("value_base64 of header " + name, "Base64");
    }
  }

  private static Object plain(JsonNode value) {
    if (value.isString()) return value.stringValue();
    if (value.isBoolean()) return value.booleanValue();
    if (value.isIntegralNumber() && value.canConvertToInt()) return value.intValue();
    if (value.isIntegralNumber() && value.canConvertToLong()) return value.longValue();
    if (value.isArray()) return value.valueStream().map(LetterEdit::plain).toList();
    if (value.isObject() || value.isNull()) {
      throw new Parameters.Wrong("headers", "texts, numbers, true, false or lists of them");
    }
    return value.asString();
  }
}
