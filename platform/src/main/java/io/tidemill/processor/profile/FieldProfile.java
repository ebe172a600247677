package io.tidemill.processor.profile;

import io.tidemill.json.Json;
import io.tidemill.processor.option.OptionReader;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What one field holds, over all records.
public final class FieldProfile {
  private static final int COUNTED_VALUES = 256;
  private static final int LONGEST_VALUE = 40;

  private final Map<String, Long> types = new TreeMap<>();
  private final DistinctCounter distinct = new DistinctCounter();
  private final FrequentValues values = new FrequentValues(COUNTED_VALUES);
  private final NumberProfile numbers = new NumberProfile();
  private long present;

  public void add(JsonNode value) {
    present++;
    types.merge(value.getNodeType().name().toLowerCase(Locale.ROOT), 1L, Long::sum);
    if (value.isNull()) return;
    if (value.isNumber()) numbers.add(value.doubleValue(Double.NaN));
    var text = value.isString() ? value.stringValue() : Json.text(value);
    distinct.add(text);
    if (value.isValueNode()) values.add(OptionReader.cut(text, LONGEST_VALUE));
  }

  public ObjectNode profile(long records, int top) {
    var out = Json.object();
    var counts = out.putObject("types");
    types.forEach(counts::put);
    out.put("missing", records - present).put("distinct", distinct.estimate());
    if (!distinct.isExact()) out.put("distinctIsEstimate", true);
    numbers.writeTo(out);
    var list = out.putArray("top");
    for (var value : values.top(top)) {
      // Of values that all differ none is a top one.
      if (value.getValue() < 2 && present > top) break;
      list.addObject().put("value", value.getKey()).put("count", value.getValue());
    }
    if (list.isEmpty()) out.remove("top");
    return out;
  }
}
