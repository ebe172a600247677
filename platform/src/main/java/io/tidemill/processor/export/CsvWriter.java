package io.tidemill.processor.export;

import io.tidemill.api.Records;
import io.tidemill.api.WorkFailure;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Writes a table as RFC 4180 has it: a head line, lines that end in CR LF, UTF-8. Nothing in it
/// makes a spreadsheet calculate (F52).
final class CsvWriter implements FormatWriter {
  private static final int BUFFER = 64 * 1024;

  @Override
  public long write(Records records, Path file)
      throws IOException, InterruptedException, WorkFailure {
    var columns = TableColumns.of(records);
    var list = columns.list();
    var count = 0L;
    try (var reader = new InterruptibleReader(records.open());
        var out = writer(file)) {
      if (!list.isEmpty()) line(list.stream().map(it -> text(it.name())).toList(), out);
      for (var record = reader.next(); record != null; record = reader.next()) {
        for (var i = 0; i < list.size(); i++) {
          if (i > 0) out.write(',');
          out.write(cell(TableColumns.value(record, list.get(i))));
        }
        out.write("\r\n");
        count++;
      }
    }
    return count;
  }

  // An encoder made by hand would refuse halves of surrogate pairs.
  private static Writer writer(Path file) throws IOException {
    var out = Files.newOutputStream(file);
    return new BufferedWriter(new java.io.OutputStreamWriter(out, StandardCharsets.UTF_8), BUFFER);
  }

  private static void line(List<String> cells, Writer out) throws IOException {
    out.write(String.join(",", cells));
    out.write("\r\n");
  }

  static String cell(@Nullable JsonNode value) {
    if (value == null) return "";
    // Numbers stay numbers, with their sign.
    return value.isNumber() ? CellValues.text(value) : text(CellValues.text(value));
  }

  /// Quoted where needed; also when empty, to distinguish it from a missing value.
  private static String text(String text) {
    var safe = CellValues.safe(text);
    return needsQuotes(safe) ? "\"" + safe.replace("\"", "\"\"") + "\"" : safe;
  }

  private static boolean needsQuotes(String text) {
    if (text.isEmpty() || text.charAt(0) == ' ' || text.charAt(text.length() - 1) == ' ') {
      return true;
    }
    return text.chars().anyMatch(c -> c == '"' || c == ',' || c == '\r' || c == '\n');
  }
}
