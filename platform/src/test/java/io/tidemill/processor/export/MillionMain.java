package io.tidemill.processor.export;

import io.tidemill.analytics.ParquetFiles;
import io.tidemill.api.Records;
import io.tidemill.config.ByteSize;
import io.tidemill.http.PublicUrl;
import io.tidemill.json.Json;
import io.tidemill.processor.export.RecordExporter.ExportOptions;
import io.tidemill.processor.record.FileOwner;
import io.tidemill.processor.record.RecordStore;
import io.tidemill.s3.ObjectStore;
import io.tidemill.s3.S3Config;
import io.tidemill.sql.AnalyticsConfig;
import java.io.IOException;
import java.nio.file.Path;

/// Writes a million records as a step does, and exports them.
public final class MillionMain {
  static final int MILLION = 1_000_000;

  private MillionMain() {}

  /// @param arguments the object store, and a folder
  public static void main(String[] arguments) throws Exception {
    var scratch = Path.of(arguments[1]);
    try (var blobs = new ObjectStore(new S3Config(arguments[0], "key", "secret"))) {
      var shelf = new RecordStore(blobs, "records", scratch);
      var kept = write(shelf);
      var tables = new ParquetFiles(new AnalyticsConfig("", ByteSize.ofMib(256), 2), scratch);
      var exporter =
          new RecordExporter(
              blobs, new ExportConfig("exports"), tables, PublicUrl.UNKNOWN, scratch);
      exporter.export(FileOwner.task("million"), kept, new ExportOptions(RecordFormat.PARQUET, ""));
      System.out.println("ready " + Json.text(shelf.encode(kept)));
    }
  }

  private static Records write(RecordStore shelf) throws IOException {
    try (var writer = shelf.writer("million")) {
      for (int i = 0; i < MILLION; i++) {
        writer.write(Json.object().put("id", i).put("name", "record " + i).put("even", i % 2 == 0));
      }
      return writer.finish();
    }
  }
}
