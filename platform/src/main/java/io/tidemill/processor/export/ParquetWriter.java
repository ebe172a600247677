package io.tidemill.processor.export;

import io.tidemill.analytics.ParquetFiles;
import io.tidemill.analytics.ParquetFiles.Column;
import io.tidemill.api.Records;
import io.tidemill.api.WorkFailure;
import io.tidemill.json.Json;
import io.tidemill.processor.record.JsonLinesWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Writes a Parquet table: columns of one type each, lists and objects as JSON text.
record ParquetWriter(ParquetFiles tables) implements FormatWriter {
  @Override
  public long write(Records records, Path file)
      throws IOException, InterruptedException, WorkFailure {
    var found = TableColumns.of(records, ParquetFiles.MOST_COLUMNS).list();
    // Parquet needs at least one column.
    var columns = found.isEmpty() ? List.of(new Column("value", ParquetFiles.Type.TEXT)) : found;
    var rows = file.resolveSibling(file.getFileName() + ".rows");
    try {
      var count = rows(records, columns, rows);
      tables.parquet(rows, count, columns, file);
      return count;
    } finally {
      Files.deleteIfExists(rows);
    }
  }

  private static long rows(Records records, List<Column> columns, Path rows)
      throws IOException, InterruptedException {
    try (var reader = new InterruptibleReader(records.open());
        var lines = JsonLinesWriter.plain(rows)) {
      for (var record = reader.next(); record != null; record = reader.next()) {
        lines.write(row(record, columns));
      }
      return lines.count();
    }
  }

  private static ObjectNode row(JsonNode record, List<Column> columns) {
    var row = Json.object();
    for (var i = 0; i < columns.size(); i++) {
      var value = TableColumns.value(record, columns.get(i));
      if (value == null) continue;
      if (columns.get(i).type() == ParquetFiles.Type.TEXT) {
        row.put(ParquetFiles.key(i), CellValues.whole(CellValues.text(value)));
      } else {
        row.set(ParquetFiles.key(i), value);
      }
    }
    return row;
  }
}
