package io.tidemill.processor.option;

import io.tidemill.api.WorkFailure;
import io.tidemill.contract.workflow.StepForm;
import io.tidemill.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads the options of one step. Errors name the option and what was expected.
public final class OptionReader {
  /// The error code of all of them.
  public static final String INVALID = "INVALID_OPTIONS";

  private static final int LONGEST_QUOTE = 40;

  private final String step;
  private final ObjectNode tree;

  private OptionReader(String step, ObjectNode tree) {
    this.step = step;
    this.tree = tree;
  }

  /// The options of a built-in step; those that it does not have are refused.
  public static OptionReader of(StepForm step, ObjectNode options) throws WorkFailure {
    return of(step.name(), options).only(step.optionNames());
  }

  /// @param place the object's name in messages
  public static OptionReader of(String place, ObjectNode tree) {
    return new OptionReader(place, tree);
  }

  /// Refuses other options: a misspelled one must not be ignored.
  public OptionReader only(Set<String> known) throws WorkFailure {
    new KnownFields(INVALID, step + ": option", known).check(tree);
    return this;
  }

  public ObjectNode tree() {
    return tree;
  }

  @Nullable
  public JsonNode get(String name) {
    var node = tree.get(name);
    return node == null || node.isNull() ? null : node;
  }

  @Nullable
  public String text(String name) throws WorkFailure {
    var node = get(name);
    if (node == null) return null;
    if (!node.isString() || node.stringValue().isBlank()) throw wrong(name, "must be a text");
    return node.stringValue();
  }

  public String text(String name, String fallback) throws WorkFailure {
    var text = text(name);
    return text == null ? fallback : text;
  }

  public String oneOf(String name, String fallback, List<String> allowed) throws WorkFailure {
    var text = text(name, fallback);
    if (allowed.contains(text)) return text;
    throw wrong(name, "is '%s': expected %s".formatted(cut(text), String.join(" or ", allowed)));
  }

  public boolean flag(String name) throws WorkFailure {
    var node = get(name);
    if (node == null) return false;
    if (!node.isBoolean()) throw wrong(name, "must be true or false");
    return node.booleanValue();
  }

  public long number(String name, long fallback, long least, long most) throws WorkFailure {
    var node = get(name);
    if (node == null) return fallback;
    if (!node.isIntegralNumber()
        || !node.canConvertToLong()
        || node.longValue() < least
        || node.longValue() > most) {
      throw wrong(name, "must be a whole number from %d to %d".formatted(least, most));
    }
    return node.longValue();
  }

  /// A list of texts; one text alone is a list of one.
  public List<String> texts(String name, int most) throws WorkFailure {
    var node = get(name);
    if (node == null) return List.of();
    if (node.isString()) return List.of(node.stringValue());
    if (!node.isArray()) throw wrong(name, "must be a list of texts");
    if (node.size() > most) throw wrong(name, "has more than " + most + " entries");
    var texts = new ArrayList<String>();
    for (var element : node) {
      if (!element.isString()) throw wrong(name, "must hold texts only");
      texts.add(element.stringValue());
    }
    return texts;
  }

  /// An object whose values are all texts.
  public Map<String, String> textByName(String name, int most) throws WorkFailure {
    var object = object(name);
    if (object == null) return Map.of();
    if (object.size() > most) throw wrong(name, "has more than " + most + " fields");
    var texts = new LinkedHashMap<String, String>();
    for (var entry : object.properties()) {
      if (!entry.getValue().isString()) throw wrong(name + "." + entry.getKey(), "must be a text");
      texts.put(entry.getKey(), entry.getValue().stringValue());
    }
    return texts;
  }

  @Nullable
  public ObjectNode object(String name) throws WorkFailure {
    var node = get(name);
    if (node == null) return null;
    if (node instanceof ObjectNode object) return object;
    throw wrong(name, "must be an object");
  }

  public WorkFailure wrong(String name, String why) {
    return WorkFailure.permanent(INVALID, "%s: option %s %s".formatted(step, cut(name), why));
  }

  /// A text cut to fit into a message.
  public static String cut(String text) {
    return cut(text, LONGEST_QUOTE);
  }

  public static String cut(String text, int longest) {
    return text.length() <= longest ? text : text.substring(0, longest) + "…";
  }

  /// A value as it stands in a message.
  public static String cut(JsonNode value) {
    return cut(Json.text(value));
  }
}
