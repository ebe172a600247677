package io.tidemill.processor.expression;

import io.tidemill.api.WorkFailure;
import io.tidemill.json.Json;
import io.tidemill.json.NumberRange;
import io.tidemill.processor.option.OptionReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Transforms each record, in this order: filter, expression, map, rename, derive, pick, drop.
///
/// Confined to the thread that created it.
public final class RecordTransform {
  private static final int MOST_FIELDS = 200;
  private static final int MOST_RECORDS = 100_000;

  private final @Nullable JsonataExpression filter;
  private final @Nullable JsonataExpression whole;
  private final Map<String, JsonataExpression> map;
  private final Map<String, String> rename;
  private final Map<String, JsonataExpression> derive;
  private final Set<String> pick;
  private final Set<String> drop;

  private RecordTransform(OptionReader options) throws WorkFailure {
    filter = expression(options, "filter");
    whole = expression(options, "expression");
    map = expressions(options, "map");
    rename = options.textByName("rename", MOST_FIELDS);
    derive = expressions(options, "derive");
    pick = Set.copyOf(options.texts("pick", MOST_FIELDS));
    drop = Set.copyOf(options.texts("drop", MOST_FIELDS));
    JsonataExpression.settle();
  }

  /// @throws WorkFailure that names the option which can't be used
  public static RecordTransform of(OptionReader options) throws WorkFailure {
    return new RecordTransform(options);
  }

  private static @Nullable JsonataExpression expression(OptionReader options, String name)
      throws WorkFailure {
    var text = options.text(name);
    return text == null ? null : JsonataExpression.of(name, text);
  }

  private static Map<String, JsonataExpression> expressions(OptionReader options, String name)
      throws WorkFailure {
    var expressions = new LinkedHashMap<String, JsonataExpression>();
    for (var entry : options.textByName(name, MOST_FIELDS).entrySet()) {
      var field = entry.getKey();
      expressions.put(
          field, JsonataExpression.of(name + "." + OptionReader.cut(field), entry.getValue()));
    }
    return expressions;
  }

  /// The records that one becomes: none when it is dropped.
  public List<JsonNode> of(JsonNode record) throws JsonataExpression.Failed {
    var fault = NumberRange.fault("", record);
    if (fault.isPresent()) throw new JsonataExpression.Failed(fault.get());
    var input = filter == null && whole == null ? null : ExpressionValues.of(record);
    if (filter != null && !filter.isTrue(input)) return List.of();
    if (whole == null) return List.of(fields(record));
    var made = whole.evaluate(input);
    if (made == null || made.isNull()) return List.of();
    if (!made.isArray()) return List.of(fields(made));
    return each(made);
  }

  private List<JsonNode> each(JsonNode made) throws JsonataExpression.Failed {
    if (made.size() > MOST_RECORDS) {
      throw new JsonataExpression.Failed(
          "expression: it makes more than " + MOST_RECORDS + " records");
    }
    var records = new ArrayList<JsonNode>();
    for (var one : made) records.add(fields(one));
    return records;
  }

  private JsonNode fields(JsonNode record) throws JsonataExpression.Failed {
    if (map.isEmpty() && rename.isEmpty() && derive.isEmpty() && pick.isEmpty() && drop.isEmpty()) {
      return record;
    }
    if (!(record instanceof ObjectNode object)) {
      throw new JsonataExpression.Failed("the record is not a JSON object");
    }
    var mapped = map.isEmpty() ? object : filled(Json.object(), map, object);
    var renamed = rename.isEmpty() ? mapped : renamed(mapped);
    var derived = derive.isEmpty() ? renamed : filled(renamed.deepCopy(), derive, renamed);
    return chosen(derived);
  }

  private static ObjectNode filled(
      ObjectNode out, Map<String, JsonataExpression> expressions, ObjectNode record)
      throws JsonataExpression.Failed {
    var input = ExpressionValues.of(record);
    for (var entry : expressions.entrySet()) {
      var value = entry.getValue().evaluate(input);
      if (value != null) out.set(entry.getKey(), value);
    }
    return out;
  }

  private ObjectNode renamed(ObjectNode record) {
    var out = Json.object();
    for (var field : record.properties()) {
      out.set(rename.getOrDefault(field.getKey(), field.getKey()), field.getValue());
    }
    return out;
  }

  private ObjectNode chosen(ObjectNode record) {
    if (pick.isEmpty() && drop.isEmpty()) return record;
    var out = Json.object();
    for (var field : record.properties()) {
      var name = field.getKey();
      if ((pick.isEmpty() || pick.contains(name)) && !drop.contains(name)) {
        out.set(name, field.getValue());
      }
    }
    return out;
  }
}
