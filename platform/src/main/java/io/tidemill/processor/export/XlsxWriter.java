package io.tidemill.processor.export;

import io.tidemill.analytics.ParquetFiles.Column;
import io.tidemill.api.Records;
import io.tidemill.api.WorkFailure;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.dhatim.fastexcel.Workbook;
import org.dhatim.fastexcel.Worksheet;
import tools.jackson.databind.JsonNode;

/// Writes one sheet for spreadsheets: a head line that stays in view, numbers and truth values as
/// such, everything else as text that is never a formula (F52).
final class XlsxWriter implements FormatWriter {
  /// Beside the head line.
  static final int MOST_RECORDS = Worksheet.MAX_ROWS - 1;

  /// Of one cell; what is longer is cut.
  static final int LONGEST_TEXT = 32_767;

  private static final int ROWS_IN_MEMORY = 500;
  private static final long MOST_IN_MEMORY = 4L * 1024 * 1024;
  private static final int CELL = 64;
  private static final int MOST_DIGITS = 15;
  private static final int WIDEST = 60;

  @Override
  public long write(Records records, Path file)
      throws IOException, InterruptedException, WorkFailure {
    var columns = TableColumns.of(records);
    if (columns.records() > MOST_RECORDS) throw tooMany();
    try (var reader = new InterruptibleReader(records.open());
        var out = new BufferedOutputStream(Files.newOutputStream(file));
        var book = new Workbook(out, "Tidemill", "1.0")) {
      var sheet = book.newWorksheet("records");
      head(columns.list(), sheet);
      var row = 0;
      var held = 0L;
      for (var record = reader.next(); record != null; record = reader.next()) {
        if (row == MOST_RECORDS) throw tooMany();
        held += write(record, ++row, columns.list(), sheet);
        if (row % ROWS_IN_MEMORY == 0 || held > MOST_IN_MEMORY) {
          sheet.flush();
          held = 0;
        }
      }
      return row;
    }
  }

  private static WorkFailure tooMany() {
    return WorkFailure.permanent(
        "TOO_MANY_RECORDS",
        "xlsx holds at most " + MOST_RECORDS + " records: export them as csv, ndjson or parquet");
  }

  private static void head(List<Column> columns, Worksheet sheet) {
    for (var i = 0; i < columns.size(); i++) {
      var name = text(columns.get(i).name());
      sheet.inlineString(0, i, name);
      sheet.style(0, i).bold().set();
      sheet.width(i, Math.clamp(name.length() + 4L, 12, WIDEST));
    }
    sheet.freezePane(0, 1);
  }

  /// @return about how much memory the row takes until it is flushed
  private static long write(JsonNode record, int row, List<Column> columns, Worksheet sheet) {
    var held = 0L;
    for (var i = 0; i < columns.size(); i++) {
      var value = TableColumns.value(record, columns.get(i));
      if (value == null) continue;
      held += CELL;
      if (value.isBoolean()) sheet.value(row, i, value.asBoolean());
      else if (value.isNumber() && isExact(value.decimalValue())) {
        sheet.value(row, i, value.decimalValue());
      } else {
        var text = text(CellValues.text(value));
        sheet.inlineString(row, i, text);
        held += text.length();
      }
    }
    return held;
  }

  /// Spreadsheets calculate with 15 digits: a longer number, such as an id, is a text to them.
  private static boolean isExact(BigDecimal number) {
    return number.stripTrailingZeros().precision() <= MOST_DIGITS && CellValues.isDouble(number);
  }

  private static String text(String text) {
    var safe = CellValues.safe(CellValues.whole(text));
    var plain = safe.codePoints().allMatch(XlsxWriter::isXml) ? safe : replaced(safe);
    if (plain.length() <= LONGEST_TEXT) return plain;
    var end = Character.isHighSurrogate(plain.charAt(LONGEST_TEXT - 1)) ? 1 : 0;
    return plain.substring(0, LONGEST_TEXT - end);
  }

  private static String replaced(String text) {
    var plain = new StringBuilder();
    text.codePoints().forEach(c -> plain.appendCodePoint(isXml(c) ? c : 0xFFFD));
    return plain.toString();
  }

  private static boolean isXml(int c) {
    return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c != 0xFFFE && c != 0xFFFF);
  }
}
