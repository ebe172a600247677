package io.tidemill.processor.step;

import io.tidemill.api.WorkFailure;
import io.tidemill.content.url.WebUrl;
import io.tidemill.contract.crawl.Email;
import io.tidemill.processor.expression.LinearPattern;
import io.tidemill.processor.option.OptionReader;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Simple rules for fields, as `{"price":{"required":true,"type":"number","min":0}}`.
final class FieldRules implements RecordCheck {
  private static final int MOST = 500;
  private static final List<String> TYPES =
      List.of("string", "number", "integer", "boolean", "object", "array");
  private static final List<String> FORMATS = List.of("email", "url", "date-time");
  private static final Set<String> NAMES =
      Set.of(
          "required", "type", "min", "max", "minLength", "maxLength", "pattern", "enum", "format");

  private record Rule(String field, @Nullable String type, boolean required, List<Check> checks) {}

  private interface Check {
    /// What is wrong with a value; null when it is valid.
    @Nullable String fault(JsonNode value);
  }

  private final List<Rule> rules;

  private FieldRules(List<Rule> rules) {
    this.rules = rules;
  }

  static FieldRules of(ObjectNode tree) throws WorkFailure {
    if (tree.size() > MOST) {
      throw WorkFailure.permanent(
          OptionReader.INVALID, "validate: option rules has more than " + MOST + " fields");
    }
    var rules = new ArrayList<Rule>();
    for (var entry : tree.properties()) {
      var place = "validate: rules." + OptionReader.cut(entry.getKey());
      if (!(entry.getValue() instanceof ObjectNode rule)) {
        throw WorkFailure.permanent(
            OptionReader.INVALID, place + " must be an object such as {\"required\":true}");
      }
      rules.add(rule(entry.getKey(), OptionReader.of(place, rule).only(NAMES)));
    }
    return new FieldRules(rules);
  }

  private static Rule rule(String field, OptionReader options) throws WorkFailure {
    var type = options.get("type") == null ? null : options.oneOf("type", "", TYPES);
    var format = options.get("format") == null ? null : options.oneOf("format", "", FORMATS);
    var required = options.flag("required");
    var checks = new ArrayList<Check>();
    bounds(field, options, checks);
    lengths(field, options, checks);
    pattern(field, options, checks);
    values(field, options, checks);
    if (format != null) {
      checks.add(value ->
          isFormat(format, value) ? null : "%s is not a valid %s".formatted(field, format));
    }
    return new Rule(field, type, required, checks);
  }

  private static void bounds(String field, OptionReader options, List<Check> checks)
      throws WorkFailure {
    var min = bound(options, "min");
    var max = bound(options, "max");
    checks.add(value ->
        min != null && value.isNumber() && value.decimalValue().compareTo(min) < 0
            ? "%s is below %s".formatted(field, min)
            : null);
    checks.add(value ->
        max != null && value.isNumber() && value.decimalValue().compareTo(max) > 0
            ? "%s is above %s".formatted(field, max)
            : null);
  }

  private static @Nullable BigDecimal bound(OptionReader options, String name) throws WorkFailure {
    var node = options.get(name);
    if (node == null) return null;
    if (!node.isNumber()) throw options.wrong(name, "must be a number");
    return node.decimalValue();
  }

  private static void lengths(String field, OptionReader options, List<Check> checks)
      throws WorkFailure {
    var min = options.number("minLength", 0, 0, Integer.MAX_VALUE);
    var max = options.number("maxLength", Long.MAX_VALUE, 0, Integer.MAX_VALUE);
    checks.add(
        value -> length(value, min) < min ? "%s is shorter than %d".formatted(field, min) : null);
    checks.add(
        value -> length(value, max) > max ? "%s is longer than %d".formatted(field, max) : null);
  }

  private static long length(JsonNode value, long fallback) {
    if (value.isArray()) return value.size();
    if (!value.isString()) return fallback;
    return value.stringValue().codePointCount(0, value.stringValue().length());
  }

  private static void pattern(String field, OptionReader options, List<Check> checks)
      throws WorkFailure {
    var text = options.text("pattern");
    if (text == null) return;
    try {
      var pattern = LinearPattern.of(text);
      checks.add(value -> mismatch(field, pattern, value));
    } catch (IllegalArgumentException wrong) {
      throw options.wrong("pattern", "can't be used: " + wrong.getMessage());
    }
  }

  private static @Nullable String mismatch(String field, LinearPattern pattern, JsonNode value) {
    try {
      if (value.isString() && pattern.isIn(value.stringValue())) return null;
      return "%s does not match %s".formatted(field, pattern);
    } catch (LinearPattern.TooMuch tooMuch) {
      return "%s: %s".formatted(field, tooMuch.getMessage());
    }
  }

  private static void values(String field, OptionReader options, List<Check> checks)
      throws WorkFailure {
    var node = options.get("enum");
    if (node == null) return;
    if (!node.isArray() || node.isEmpty()) {
      throw options.wrong("enum", "must be a list of allowed values");
    }
    checks.add(value ->
        node.valueStream().anyMatch(allowed -> isSame(allowed, value))
            ? null
            : "%s is %s: not one of the allowed values".formatted(field, OptionReader.cut(value)));
  }

  @Override
  public List<String> faults(JsonNode record) {
    var faults = new ArrayList<String>();
    for (var rule : rules) {
      if (faults.size() >= MOST_REASONS) break;
      var value = record.get(rule.field());
      if (value == null || value.isNull()) {
        if (rule.required()) faults.add(rule.field() + " is missing");
      } else {
        check(rule, value, faults);
      }
    }
    return faults;
  }

  private static void check(Rule rule, JsonNode value, List<String> faults) {
    if (rule.type() != null && !isType(value, rule.type())) {
      faults.add("%s must be of type %s".formatted(rule.field(), rule.type()));
      return;
    }
    rule.checks().stream()
        .map(check -> check.fault(value))
        .filter(Objects::nonNull)
        .forEach(faults::add);
  }

  private static boolean isType(JsonNode value, String type) {
    return switch (type) {
      case "string" -> value.isString();
      case "number" -> value.isNumber();
      case "integer" -> isWhole(value);
      case "boolean" -> value.isBoolean();
      case "object" -> value.isObject();
      default -> value.isArray();
    };
  }

  // As JSON Schema has it: 5.0 is an integer.
  private static boolean isWhole(JsonNode value) {
    if (value.isIntegralNumber()) return true;
    return value.isNumber() && value.decimalValue().stripTrailingZeros().scale() <= 0;
  }

  private static boolean isSame(JsonNode allowed, JsonNode value) {
    if (allowed.isNumber() && value.isNumber()) {
      return allowed.decimalValue().compareTo(value.decimalValue()) == 0;
    }
    return allowed.equals(value);
  }

  private static boolean isFormat(String format, JsonNode value) {
    if (!value.isString()) return false;
    var text = value.stringValue();
    return switch (format) {
      case "email" -> isEmail(text);
      case "url" -> WebUrl.parse(text).isPresent();
      default -> isDateTime(text);
    };
  }

  private static boolean isEmail(String text) {
    try {
      return Email.parse(text).text().length() > 2;
    } catch (IllegalArgumentException notOne) {
      return false;
    }
  }

  private static boolean isDateTime(String text) {
    try {
      return OffsetDateTime.parse(text).getYear() >= 0;
    } catch (DateTimeException notOne) {
      return false;
    }
  }
}
