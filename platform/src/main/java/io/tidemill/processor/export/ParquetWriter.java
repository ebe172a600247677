package io.tidemill.processor.export;

import io.tidemill.contract.Json;
import io.tidemill.processor.api.WorkFailure;
import io.tidemill.processor.records.JsonLines;
import io.tidemill.processor.records.Records;
import io.tidemill.store.analytics.TableFiles;
import io.tidemill.store.analytics.TableFiles.Column;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Writes a Parquet table: columns of one type each, lists and objects as JSON text.
final class ParquetWriter implements FormatWriter {
  private final TableFiles tables;

  ParquetWriter(TableFiles tables) {
    this.tables = tables;
  }

  @Override
  public long write(Records records, Path file)
      throws IOException, InterruptedException, WorkFailure {
    var found = Columns.of(records, TableFiles.MOST_COLUMNS).list();
    // A table without columns is no table.
    var columns = found.isEmpty() ? List.of(new Column("value", TableFiles.Type.TEXT)) : found;
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
    try (var reader = new Patient(records.open());
        var lines = JsonLines.plain(rows)) {
      for (var record = reader.next(); record != null; record = reader.next()) {
        lines.write(row(record, columns));
      }
      return lines.count();
    }
  }

  private static ObjectNode row(JsonNode record, List<Column> columns) {
    var row = Json.object();
    for (var i = 0; i < columns.size(); i++) {
      var value = Columns.value(record, columns.get(i));
      if (value == null) continue;
      if (columns.get(i).type() == TableFiles.Type.TEXT) {
        row.put(TableFiles.key(i), Cells.whole(Cells.text(value)));
      } else {
        row.set(TableFiles.key(i), value);
      }
    }
    return row;
  }
}
