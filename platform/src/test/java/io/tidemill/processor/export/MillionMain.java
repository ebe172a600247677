package io.tidemill.processor.export;

import io.tidemill.config.ByteSize;
import io.tidemill.contract.Json;
import io.tidemill.processor.export.Exporter.Wish;
import io.tidemill.processor.records.RecordShelf;
import io.tidemill.processor.records.Records;
import io.tidemill.store.analytics.AnalyticsConfig;
import io.tidemill.store.analytics.TableFiles;
import io.tidemill.store.blob.BlobConfig;
import io.tidemill.store.blob.Blobs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/// Writes a million records as a step does, and exports them.
public final class MillionMain {
  static final int MILLION = 1_000_000;

  private MillionMain() {}

  /// @param arguments the object store, and a folder
  public static void main(String[] arguments) throws Exception {
    var scratch = Path.of(arguments[1]);
    try (var blobs = new Blobs(new BlobConfig(arguments[0], "key", "secret"))) {
      var shelf = new RecordShelf(blobs, "records", scratch);
      var kept = write(shelf);
      var tables = new TableFiles(new AnalyticsConfig("", ByteSize.ofMib(256), 2), scratch);
      var exporter =
          new Exporter(blobs, new ExportConfig("exports", Duration.ofHours(1)), tables, scratch);
      exporter.export("million", kept, new Wish(RecordFormat.PARQUET, ""));
      System.out.println("ready " + Json.text(shelf.encode(kept)));
    }
  }

  private static Records write(RecordShelf shelf) throws IOException {
    try (var writer = shelf.writer("million")) {
      for (int i = 0; i < MILLION; i++) {
        writer.write(Json.object().put("id", i).put("name", "record " + i).put("even", i % 2 == 0));
      }
      return writer.finish();
    }
  }
}
