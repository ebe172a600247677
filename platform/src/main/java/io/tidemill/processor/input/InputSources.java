package io.tidemill.processor.input;

import io.tidemill.api.Records;
import io.tidemill.api.WorkFailure;
import io.tidemill.json.NumberRange;
import io.tidemill.processor.option.KnownFields;
import io.tidemill.processor.record.InlineRecords;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Finds the records that a workflow's `input` or an export's `source` names (C2.8): `records`
/// written there, or any of the sources given.
public final class InputSources {
  /// The error code of an invalid input.
  public static final String INVALID = "INVALID_INPUT";

  private static final String RECORDS = "records";

  private final Map<String, InputSource> sources;

  /// @param sources by name
  public InputSources(Map<String, InputSource> sources) {
    var all = new LinkedHashMap<String, InputSource>();
    all.put(RECORDS, (value, _) -> inline(value));
    all.putAll(sources);
    this.sources = all;
  }

  /// The records of an input; none when it names no source.
  ///
  /// @throws WorkFailure when it names two, or one that can't be used
  public Records of(ObjectNode input) throws WorkFailure {
    var named = named(input);
    if (named.size() > 1)
      throw invalid("input names " + String.join(" and ", named) + ": expected one");
    return named.isEmpty() ? InlineRecords.NONE : records(named.getFirst(), input);
  }

  /// The records of an input that has to name a source, and nothing beside it but that source's own
  /// options.
  public Records required(ObjectNode input) throws WorkFailure {
    var named = named(input);
    if (named.isEmpty()) {
      throw invalid(
          "the source is missing: expected one of " + String.join(", ", sources.keySet()));
    }
    if (named.size() == 1) known(named.getFirst()).check(input);
    return of(input);
  }

  private KnownFields known(String name) {
    var names = new HashSet<String>();
    names.add(name);
    var source = sources.get(name);
    if (source != null) names.addAll(source.options());
    return new KnownFields(INVALID, "source: field", names);
  }

  private List<String> named(ObjectNode input) {
    return sources.entrySet().stream()
        .filter(source -> input.hasNonNull(source.getKey()))
        .filter(source -> source.getValue().isNamedBy(input.path(source.getKey())))
        .map(Map.Entry::getKey)
        .toList();
  }

  private Records records(String name, ObjectNode input) throws WorkFailure {
    var source = sources.get(name);
    var value = input.get(name);
    if (source == null || value == null) throw invalid("there is no source " + name);
    return source.records(value, input);
  }

  private static Records inline(JsonNode value) throws WorkFailure {
    if (!(value instanceof ArrayNode list)) throw invalid("records must be a list");
    var fault = NumberRange.fault(RECORDS, list);
    if (fault.isPresent()) throw invalid(fault.get());
    return new InlineRecords(list.valueStream().toList());
  }

  static WorkFailure invalid(String message) {
    return WorkFailure.permanent(INVALID, message);
  }

  /// A whole number among the options of a source.
  static int number(ObjectNode input, String field, int preset, int most) throws WorkFailure {
    var value = input.get(field);
    if (value == null || value.isNull()) return preset;
    if (!value.canConvertToInt() || !value.isIntegralNumber()) {
      throw invalid(field + " must be a whole number");
    }
    var number = value.asInt();
    if (number < 1 || number > most) {
      throw invalid("%s is %d: expected 1 to %d".formatted(field, number, most));
    }
    return number;
  }

  static boolean flag(ObjectNode input, String field) throws WorkFailure {
    var value = input.get(field);
    if (value == null || value.isNull()) return false;
    if (!value.isBoolean()) throw invalid(field + " must be true or false");
    return value.asBoolean();
  }

  static String text(JsonNode value, String field, int longest) throws WorkFailure {
    var text = value.isString() ? value.asString().strip() : "";
    if (text.isEmpty()) throw invalid(field + " must be a text");
    if (text.length() > longest) {
      throw invalid(
          "%s has %d characters: expected at most %d".formatted(field, text.length(), longest));
    }
    return text;
  }
}
