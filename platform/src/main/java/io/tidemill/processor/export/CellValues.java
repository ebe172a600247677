package io.tidemill.processor.export;

import io.tidemill.json.Json;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;

/// Values as the cells of a table hold them.
final class CellValues {
  // Also the wide forms, which some spreadsheets take for the same.
  private static final String STARTS_A_FORMULA = "=+-@\t\r\n＝＋－＠";

  private CellValues() {}

  /// A value as text: texts as they are, everything else as JSON.
  static String text(JsonNode value) {
    return value.isString() ? value.asString() : Json.text(value);
  }

  /// A text that no spreadsheet takes for a formula (F52).
  static String safe(String text) {
    var isFormula = !text.isEmpty() && STARTS_A_FORMULA.indexOf(text.charAt(0)) >= 0;
    return isFormula ? "'" + text : text;
  }

  /// A text without halves of surrogate pairs, which files can't hold.
  static String whole(String text) {
    return text.chars().noneMatch(c -> Character.isSurrogate((char) c))
        ? text
        : new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  /// Whether a double holds the number as it is written.
  static boolean isDouble(BigDecimal number) {
    var nearest = number.doubleValue();
    return Double.isFinite(nearest)
        && new BigDecimal(Double.toString(nearest)).compareTo(number) == 0;
  }
}
