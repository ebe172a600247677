package io.tidemill.worker.ai;

import io.tidemill.api.JobFailure;
import io.tidemill.llm.Prompt;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Reads a job's payload; faults name the field and what was expected.
final class PayloadReader {
  private static final int MAX_TOKENS = 10_000_000;

  private final JsonNode tree;
  private final String path;

  PayloadReader(JsonNode tree) {
    this(tree, "payload");
  }

  private PayloadReader(JsonNode tree, String path) {
    this.tree = tree;
    this.path = path;
  }

  /// Refuses other fields: a misspelled one must not be ignored.
  PayloadReader only(Set<String> known) throws JobFailure {
    if (!tree.isObject()) throw bad(path + " must be a JSON object");
    for (var name : tree.propertyNames()) {
      if (known.contains(name)) continue;
      var expected = String.join(", ", new TreeSet<>(known));
      throw bad("%s.%s is not known: expected %s".formatted(path, cut(name), expected));
    }
    return this;
  }

  boolean has(String name) {
    return tree.hasNonNull(name);
  }

  String text(String name) throws JobFailure {
    var text = optionalText(name);
    if (text != null) return text;
    throw wrong(name, "be a text that is not empty; it is missing");
  }

  @Nullable String optionalText(String name) throws JobFailure {
    if (!has(name)) return null;
    var value = tree.path(name);
    if (!value.isString() || value.stringValue().isBlank()) {
      throw wrong(name, "be a text that is not empty");
    }
    return value.stringValue();
  }

  /// A text that may be empty.
  String anyText(String name) throws JobFailure {
    var value = tree.path(name);
    if (!value.isString()) throw wrong(name, "be a text");
    return value.stringValue();
  }

  String textOr(String name, String otherwise) throws JobFailure {
    var text = optionalText(name);
    return text == null ? otherwise : text;
  }

  boolean flag(String name) throws JobFailure {
    if (!has(name)) return false;
    if (!tree.path(name).isBoolean()) throw wrong(name, "be true or false");
    return tree.path(name).booleanValue();
  }

  int number(String name, int otherwise, int least, int most) throws JobFailure {
    if (!has(name)) return otherwise;
    var value = tree.path(name);
    if (!value.isIntegralNumber()
        || !value.canConvertToInt()
        || value.intValue() < least
        || value.intValue() > most) {
      throw wrong(name, "be a whole number from %d to %d".formatted(least, most));
    }
    return value.intValue();
  }

  /// The texts of a list that is not empty.
  List<String> texts(String name, int most) throws JobFailure {
    var list = tree.path(name);
    if (!list.isArray() || list.isEmpty() || list.size() > most) {
      throw wrong(name, "be a list of 1 to %d texts".formatted(most));
    }
    var texts = new ArrayList<String>();
    for (var element : list) {
      if (!element.isString())
        throw bad("%s.%s[%d] must be a text".formatted(path, name, texts.size()));
      texts.add(element.stringValue());
    }
    return texts;
  }

  /// The objects of a list that is not empty.
  List<PayloadReader> objects(String name) throws JobFailure {
    var list = tree.path(name);
    if (!list.isArray() || list.isEmpty()) throw wrong(name, "be a list that is not empty");
    var objects = new ArrayList<PayloadReader>();
    for (var element : list) {
      var place = "%s.%s[%d]".formatted(path, name, objects.size());
      if (!element.isObject()) throw bad(place + " must be a JSON object");
      objects.add(new PayloadReader(element, place));
    }
    return objects;
  }

  /// An object whose values are all texts.
  PayloadReader object(String name) throws JobFailure {
    if (!tree.path(name).isObject()) throw wrong(name, "be a JSON object");
    return new PayloadReader(tree.path(name), path + "." + name);
  }

  Set<String> names() {
    return new TreeSet<>(tree.propertyNames());
  }

  /// A prompt with the payload's `model`, `temperature` and `max_tokens`.
  Prompt prompt(List<Prompt.Message> messages) throws JobFailure {
    return new Prompt(messages, optionalText("model"), temperature(), maxTokens());
  }

  private @Nullable Double temperature() throws JobFailure {
    if (!has("temperature")) return null;
    var value = tree.path("temperature");
    var number = value.isNumber() ? value.doubleValue() : -1;
    if (!(number >= 0 && number <= 2)) throw wrong("temperature", "be a number from 0 to 2");
    return number;
  }

  private @Nullable Integer maxTokens() throws JobFailure {
    return has("max_tokens") ? number("max_tokens", 0, 1, MAX_TOKENS) : null;
  }

  JobFailure wrong(String name, String expected) {
    return bad(path + "." + name + " must " + expected);
  }

  static JobFailure bad(String message) {
    return new JobFailure("BAD_PAYLOAD", message);
  }

  private static String cut(String name) {
    return name.length() <= 40 ? name : name.substring(0, 40) + "…";
  }
}
