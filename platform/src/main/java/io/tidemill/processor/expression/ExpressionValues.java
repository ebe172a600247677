package io.tidemill.processor.expression;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Converts JSON to the plain values that expressions work on, and back; numbers that are only
/// copied keep every digit.
final class ExpressionValues {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final int DEEPEST = 200;

  private ExpressionValues() {}

  static @Nullable Object of(JsonNode node) {
    return switch (node.getNodeType()) {
      case OBJECT -> object((ObjectNode) node);
      case ARRAY -> list((ArrayNode) node);
      case STRING -> node.stringValue();
      case NUMBER -> number(node);
      case BOOLEAN -> node.booleanValue();
      case BINARY, POJO, NULL, MISSING -> null;
    };
  }

  private static Map<String, @Nullable Object> object(ObjectNode node) {
    var object = new LinkedHashMap<String, @Nullable Object>();
    for (var entry : node.properties()) object.put(entry.getKey(), of(entry.getValue()));
    return object;
  }

  private static List<@Nullable Object> list(ArrayNode node) {
    var list = new ArrayList<@Nullable Object>();
    for (var element : node) list.add(of(element));
    return list;
  }

  private static Number number(JsonNode node) {
    if (node.isInt()) return node.intValue();
    if (node.isLong()) return node.longValue();
    if (node.isBigInteger()) return node.bigIntegerValue();
    return node.decimalValue();
  }

  /// @throws IllegalArgumentException when it is nothing that JSON can say
  static JsonNode json(@Nullable Object value) {
    return json(value, 0);
  }

  private static JsonNode json(@Nullable Object value, int depth) {
    if (depth > DEEPEST) throw new IllegalArgumentException("the value is nested too deeply");
    return switch (value) {
      case null -> NODES.nullNode();
      case String text -> NODES.stringNode(text);
      case Boolean flag -> NODES.booleanNode(flag);
      case Number number -> number(number);
      case Map<?, ?> map -> object(map, depth);
      case List<?> list -> list(list, depth);
      default -> throw new IllegalArgumentException("the value is a function");
    };
  }

  private static JsonNode number(Number number) {
    return switch (number) {
      case Integer i -> NODES.numberNode(i);
      case Long l -> NODES.numberNode(l);
      case BigInteger big -> NODES.numberNode(big);
      case BigDecimal decimal -> NODES.numberNode(decimal);
      default -> decimal(number.doubleValue());
    };
  }

  private static JsonNode decimal(double value) {
    if (!Double.isFinite(value)) throw new IllegalArgumentException("the number is out of range");
    return NODES.numberNode(BigDecimal.valueOf(value));
  }

  private static JsonNode object(Map<?, ?> map, int depth) {
    var object = NODES.objectNode();
    map.forEach((name, value) -> object.set(String.valueOf(name), json(value, depth + 1)));
    return object;
  }

  private static JsonNode list(List<?> list, int depth) {
    var array = NODES.arrayNode();
    for (var element : list) array.add(json(element, depth + 1));
    return array;
  }
}
