package io.tidemill.processor.export;

import io.tidemill.api.Records;
import io.tidemill.processor.record.JsonLinesWriter;
import java.io.IOException;
import java.nio.file.Path;

/// Writes one record a line, as JSON.
final class NdjsonWriter implements FormatWriter {
  @Override
  public long write(Records records, Path file) throws IOException, InterruptedException {
    try (var reader = new InterruptibleReader(records.open());
        var lines = JsonLinesWriter.plain(file)) {
      for (var record = reader.next(); record != null; record = reader.next()) lines.write(record);
      return lines.count();
    }
  }
}
