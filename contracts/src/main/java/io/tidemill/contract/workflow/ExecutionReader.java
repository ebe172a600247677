package io.tidemill.contract.workflow;

import io.tidemill.json.FieldNames;
import io.tidemill.json.Json;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads the fields of a JSON object, each wanted in one form; throws an [IllegalArgumentException]
/// that names the field and what was expected.
final class ExecutionReader {
  private static final int DEEPEST = Json.MAX_DEPTH - 20;
  private static final BigDecimal MOST = BigDecimal.valueOf(Integer.MAX_VALUE);
  private static final BigDecimal LONGEST = BigDecimal.valueOf(1_000_000_000_000_000L);

  private final JsonNode tree;
  private final String path;

  ExecutionReader(JsonNode tree, String path) {
    this.tree = tree;
    this.path = path;
  }

  static ExecutionReader of(@Nullable JsonNode tree, String what) {
    if (tree == null || !tree.isObject()) {
      throw new IllegalArgumentException(what + " must be a JSON object");
    }
    return new ExecutionReader(tree, what.startsWith("the ") ? "" : what + ".");
  }

  ExecutionReader inner(String name) {
    return of(tree.get(name), path + name);
  }

  JsonNode any(String name) {
    var value = tree.get(name);
    if (value == null) throw wrong(name, "be there");
    return value;
  }

  ObjectNode object(String name) {
    if (tree.get(name) instanceof ObjectNode object) return object;
    throw wrong(name, "be a JSON object");
  }

  Optional<ObjectNode> optionalObject(String name) {
    var value = tree.get(name);
    return value == null || value.isNull() ? Optional.empty() : Optional.of(object(name));
  }

  /// The same, if it is shallow enough to be read again when other events carry it.
  ExecutionReader shallow() {
    for (var member : tree.properties()) {
      if (Json.isDeeperThan(DEEPEST, member.getValue())) {
        throw wrong(member.getKey(), "have at most " + DEEPEST + " levels");
      }
    }
    return this;
  }

  /// The same, if it has no field beside these.
  ExecutionReader requireKnown(FieldNames names) {
    names.requireKnown(tree);
    return this;
  }

  void refuseMisspelled(FieldNames names) {
    names.refuseMisspelled(tree);
  }

  /// The members beside these.
  ObjectNode others(String... known) {
    var others = Json.object();
    if (tree instanceof ObjectNode object) others.setAll(object);
    return others.remove(List.of(known)).without("metadata");
  }

  /// Metadata is informative: an event is valid without it.
  Optional<ObjectNode> metadata() {
    if (tree.get("metadata") instanceof ObjectNode ours) return Optional.of(ours);
    // Some writers put it into the payload (C2.2).
    return tree.path("payload").path("metadata") instanceof ObjectNode inside
        ? Optional.of(inside)
        : Optional.empty();
  }

  /// Any text (C2.2) that is no key beside another record (F52).
  String id(String name) {
    var id = text(name);
    if (!ExecutionNames.isId(id)) throw wrong(name, "be an id");
    return id;
  }

  String text(String name) {
    var value = tree.get(name);
    if (value == null || !value.isString() || value.stringValue().isEmpty()) {
      throw wrong(name, "be a text that is not empty");
    }
    return value.stringValue();
  }

  /// The name of a step, which may be empty.
  String step(String name) {
    return optionalText(name).orElseThrow(() -> wrong(name, "be a text"));
  }

  Optional<String> optionalText(String name) {
    var value = tree.get(name);
    return value != null && value.isString() ? Optional.of(value.stringValue()) : Optional.empty();
  }

  Instant time(String name) {
    return Optional.ofNullable(tree.get(name))
        .filter(JsonNode::isString)
        .flatMap(value -> ExecutionTime.decode(value.stringValue()))
        .orElseThrow(() -> wrong(name, "be an ISO 8601 time"));
  }

  boolean has(String name) {
    return tree.hasNonNull(name);
  }

  boolean isNull(String name) {
    var value = tree.get(name);
    return value != null && value.isNull();
  }

  int count(String name) {
    var value = tree.get(name);
    // A program without whole numbers may write 3.0.
    if (value == null || !value.isNumber() || !isWhole(value.decimalValue())) {
      throw wrong(name, "be a whole number from 0");
    }
    return value.decimalValue().intValue();
  }

  // Compared before anything is computed: 1e999999999 is short to write and long to have.
  private static boolean isWhole(BigDecimal number) {
    return number.signum() >= 0
        && number.compareTo(MOST) <= 0
        && number.compareTo(BigDecimal.valueOf(number.longValue())) == 0;
  }

  /// Milliseconds; a program without whole numbers may write them with a fraction.
  long millis(String name) {
    var value = tree.get(name);
    if (value == null || !value.isNumber() || value.decimalValue().abs().compareTo(LONGEST) > 0) {
      throw wrong(name, "be a number of milliseconds");
    }
    return value.decimalValue().longValue();
  }

  List<String> texts(String name) {
    var value = tree.get(name);
    if (value == null || !value.isArray() || value.isEmpty()) {
      throw wrong(name, "be a list that is not empty");
    }
    return StreamSupport.stream(value.spliterator(), false).map(one -> text(name, one)).toList();
  }

  /// The same with empty ones: a known gateway lets them through (G7).
  List<String> textsOrEmpty(String name) {
    var value = tree.get(name);
    if (value == null || !value.isArray() || value.isEmpty()) {
      throw wrong(name, "be a list that is not empty");
    }
    return StreamSupport.stream(value.spliterator(), false)
        .map(one -> one.isString() && one.stringValue().isEmpty() ? "" : text(name, one))
        .toList();
  }

  private String text(String name, JsonNode one) {
    if (one.isString() && !one.stringValue().isEmpty()) return one.stringValue();
    throw wrong(name, "have only texts that are not empty");
  }

  ExecutionError error(String name) {
    var error = inner(name);
    return new ExecutionError(
        error.text("code"),
        error.optionalText("message").orElse(""),
        error.optionalText("stack").orElse(null),
        error.flag("retryable"));
  }

  private @Nullable Boolean flag(String name) {
    var value = tree.get(name);
    if (value == null || !value.isBoolean()) return null;
    return value.booleanValue();
  }

  IllegalArgumentException wrong(String name, String expected) {
    var missing = tree.has(name) ? "" : "; it is missing";
    return new IllegalArgumentException(path + name + " must " + expected + missing);
  }
}
