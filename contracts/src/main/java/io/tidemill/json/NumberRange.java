package io.tidemill.json;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Checks that numbers can be calculated with: to round or divide `1e99999999` takes practically
/// for ever (F50).
public final class NumberRange {
  // Every double is within.
  private static final int LARGEST_EXPONENT = 400;
  private static final int LONGEST_PLACE = 200;

  private NumberRange() {}

  /// An error with the path of the first number out of range; empty when there is none.
  ///
  /// @param name what the value is called in the message; empty for a record
  public static Optional<String> fault(String name, JsonNode value) {
    var place = beyond(value);
    if (place == null) return Optional.empty();
    var full = name + place;
    var shown = full.isEmpty() ? "the record" : full.startsWith(".") ? full.substring(1) : full;
    return Optional.of(cut(shown) + " is a number that is out of range");
  }

  private static @Nullable String beyond(JsonNode value) {
    if (value.isBigDecimal()) return isWithin(value) ? null : "";
    if (value.isObject()) return inObject(value);
    return value.isArray() ? inList(value) : null;
  }

  private static boolean isWithin(JsonNode value) {
    var number = value.decimalValue();
    var exponent = (long) number.precision() - number.scale() - 1;
    return Math.abs(exponent) <= LARGEST_EXPONENT;
  }

  private static @Nullable String inObject(JsonNode object) {
    for (var field : object.properties()) {
      var place = beyond(field.getValue());
      if (place != null) return "." + cut(field.getKey()) + place;
    }
    return null;
  }

  private static @Nullable String inList(JsonNode list) {
    for (var i = 0; i < list.size(); i++) {
      var place = beyond(list.get(i));
      if (place != null) return "[" + i + "]" + place;
    }
    return null;
  }

  private static String cut(String place) {
    return place.length() <= LONGEST_PLACE ? place : place.substring(0, LONGEST_PLACE) + "…";
  }
}
