package io.tidemill.json;

import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The one JSON mapper: strict about syntax, bounded in depth and size, and lossless for numbers.
public final class Json {
  /// Deeper than any message needs, far shallower than any stack.
  public static final int MAX_DEPTH = 200;

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(MAX_DEPTH)
                          .maxNumberLength(1_000)
                          .maxStringLength(16 * 1024 * 1024)
                          .maxDocumentLength(64L * 1024 * 1024)
                          .build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private Json() {}

  /// Reads one JSON value and nothing behind it.
  ///
  /// @throws JacksonException when the bytes are not JSON within our limits
  public static JsonNode parse(byte[] json) {
    JsonNode node;
    try {
      node = MAPPER.readTree(json);
    } catch (NumberFormatException outOfRange) {
      // An exponent that no BigDecimal can hold: Jackson lets the JDK's own exception through.
      throw new NotJson("number");
    }
    // An empty document is not a JSON value, though Jackson answers with a "missing" node.
    if (node == null || node.isMissingNode()) throw new NotJson("empty");
    return node;
  }

  /// Reads one JSON value and nothing behind it.
  public static JsonNode parse(String json) {
    return parse(json.getBytes(StandardCharsets.UTF_8));
  }

  /// Compact JSON text of a tree or a map.
  public static String text(Object tree) {
    return new String(bytes(tree), StandardCharsets.UTF_8);
  }

  /// Compact JSON as UTF-8; half a surrogate pair, which UTF-8 cannot carry, stays an escape.
  public static byte[] bytes(Object tree) {
    return MAPPER.writeValueAsBytes(tree);
  }

  /// An empty object to fill.
  public static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /// A plain value as a tree.
  public static JsonNode tree(Object value) {
    return MAPPER.valueToTree(value);
  }

  /// Whether a tree has more levels of objects and lists.
  public static boolean isDeeperThan(int levels, JsonNode tree) {
    if (!tree.isContainer()) return false;
    return levels == 0 || tree.valueStream().anyMatch(inner -> isDeeperThan(levels - 1, inner));
  }

  /// One line on a syntax error, without content of the document and without class names.
  public static String fault(JacksonException notJson) {
    var location = notJson.getLocation();
    var where =
        location == null || location.getLineNr() < 1
            ? ""
            : " at line " + location.getLineNr() + ", column " + location.getColumnNr();
    return "not valid JSON" + where;
  }

  private static final class NotJson extends JacksonException {
    NotJson(String message) {
      super(message);
    }
  }
}
