package io.tidemill.processor.export;

import io.tidemill.analytics.ParquetFiles;
import io.tidemill.analytics.ParquetFiles.Column;
import io.tidemill.api.Records;
import io.tidemill.api.WorkFailure;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The columns of a table of records: every field of any of them, in the order in which they first
/// appear.
///
/// @param records how many rows the table has
record TableColumns(List<Column> list, long records) {
  /// More would fit into no spreadsheet and into no memory.
  static final int MOST = 2_000;

  /// The column of records that are not objects.
  private static final String VALUE = "value";

  /// Reads all records once.
  static TableColumns of(Records records) throws IOException, WorkFailure, InterruptedException {
    return of(records, MOST);
  }

  /// @param most columns that there may be
  static TableColumns of(Records records, int most)
      throws IOException, WorkFailure, InterruptedException {
    var types = new LinkedHashMap<String, Kind>();
    var count = 0L;
    try (var reader = new InterruptibleReader(records.open())) {
      for (var record = reader.next(); record != null; record = reader.next()) {
        if (record.isObject()) {
          for (var field : record.properties()) note(types, field.getKey(), field.getValue(), most);
        } else {
          note(types, VALUE, record, most);
        }
        count++;
      }
    }
    var columns =
        types.entrySet().stream()
            .map(entry -> new Column(entry.getKey(), entry.getValue().type()))
            .toList();
    return new TableColumns(columns, count);
  }

  private static void note(Map<String, Kind> types, String name, JsonNode value, int most)
      throws WorkFailure {
    types.merge(name, Kind.of(value), Kind::and);
    if (types.size() > most) {
      throw WorkFailure.permanent(
          "TOO_MANY_COLUMNS",
          "the records have more than " + most + " different fields: export them as ndjson");
    }
  }

  /// What a record has in a column; null when it has nothing there.
  static @Nullable JsonNode value(JsonNode record, Column column) {
    var value =
        record.isObject() ? record.get(column.name()) : column.name().equals(VALUE) ? record : null;
    return value == null || value.isNull() ? null : value;
  }

  /// What all values of a column seen so far are.
  private enum Kind {
    NOTHING,
    FLAG,
    /// Whole, and a double holds it too.
    SHORT,
    /// Whole, with more digits than a double is sure to hold.
    LONG,
    NUMBER,
    TEXT;

    /// Up to here a double holds every whole number.
    private static final long EXACT = 1L << 53;

    static Kind of(JsonNode value) {
      if (value.isNull()) return NOTHING;
      if (value.isBoolean()) return FLAG;
      if (value.isIntegralNumber() && value.canConvertToLong()) return whole(value.longValue());
      return value.isNumber() && CellValues.isDouble(value.decimalValue()) ? NUMBER : TEXT;
    }

    private static Kind whole(long value) {
      return value >= -EXACT && value <= EXACT ? SHORT : LONG;
    }

    Kind and(Kind other) {
      if (this == other || other == NOTHING) return this;
      if (this == NOTHING) return other;
      if (this == SHORT && (other == LONG || other == NUMBER)) return other;
      if (other == SHORT && (this == LONG || this == NUMBER)) return this;
      return TEXT;
    }

    ParquetFiles.Type type() {
      return switch (this) {
        case FLAG -> ParquetFiles.Type.FLAG;
        case SHORT, LONG -> ParquetFiles.Type.WHOLE;
        case NUMBER -> ParquetFiles.Type.NUMBER;
        case NOTHING, TEXT -> ParquetFiles.Type.TEXT;
      };
    }
  }
}
