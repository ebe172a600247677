package io.tidemill.processor.record;

import io.tidemill.api.RecordReader;
import io.tidemill.api.Records;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Records that are the same in every pass, even if their source changes.
public final class RecordSnapshot implements Records, Closeable {
  private final Records records;
  private final @Nullable Path file;

  private RecordSnapshot(Records records, @Nullable Path file) {
    this.records = records;
    this.file = file;
  }

  /// Copies records into a file, unless they are immutable.
  public static RecordSnapshot of(Records records, Path scratch) throws IOException {
    if (stays(records)) return new RecordSnapshot(records, null);
    Files.createDirectories(scratch);
    var file = Files.createTempFile(scratch, "snapshot", ".ndjson.gz");
    try {
      copy(records, file);
    } catch (IOException | RuntimeException failed) {
      Files.deleteIfExists(file);
      throw failed;
    }
    return new RecordSnapshot(() -> JsonRecords.openLines(Files.newInputStream(file)), file);
  }

  private static boolean stays(Records records) {
    return records instanceof InlineRecords
        || (records instanceof StoredRecords stored && stored.count() >= 0);
  }

  private static void copy(Records records, Path file) throws IOException {
    try (var reader = records.open();
        var out = JsonLinesWriter.gzip(file)) {
      for (var record = reader.next(); record != null; record = reader.next()) out.write(record);
    }
  }

  @Override
  public RecordReader open() throws IOException {
    return records.open();
  }

  @Override
  public void close() throws IOException {
    if (file != null) Files.deleteIfExists(file);
  }
}
