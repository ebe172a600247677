package io.tidemill.processor.export;

import io.tidemill.analytics.AnalyticsException;
import io.tidemill.analytics.ParquetFiles;
import io.tidemill.api.Records;
import io.tidemill.api.WorkFailure;
import io.tidemill.json.Json;
import io.tidemill.processor.input.ObjectAddress;
import io.tidemill.processor.input.RecordFailures;
import io.tidemill.processor.record.RecordSnapshot;
import io.tidemill.processor.record.RecordsException;
import io.tidemill.processor.record.SafeName;
import io.tidemill.s3.ObjectStore;
import io.tidemill.s3.S3Exception;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Writes records as one file into the object store: it is there whole or not at all, and writing
/// it again replaces it.
public final class RecordExporter {
  /// The code of a step's options that make no sense.
  static final String OPTIONS = "INVALID_OPTIONS";

  private static final DateTimeFormatter MILLIS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);
  // What lies there belongs to tasks and steps, and links to it are out.
  private static final List<String> OURS = List.of("exports/", "reports/", "records/", "rejects/");

  private final ObjectStore blobs;
  private final ExportConfig config;
  private final ParquetFiles tables;
  private final Path scratch;

  /// @param scratch where files lie while they are written
  public RecordExporter(ObjectStore blobs, ExportConfig config, ParquetFiles tables, Path scratch) {
    this.blobs = blobs;
    this.config = config;
    this.tables = tables;
    this.scratch = scratch;
  }

  /// What somebody wants to have.
  ///
  /// @param name of the file, without its ending; empty = the id
  public record ExportOptions(RecordFormat format, String name) {
    private static final String CSV = "csv";

    /// Reads `format` and `name`.
    ///
    /// @param code of the refusal when they make no sense
    public static ExportOptions of(ObjectNode options, String code) throws WorkFailure {
      return new ExportOptions(
          format(options.path("format"), code), name(options.path("name"), code));
    }

    private static RecordFormat format(JsonNode value, String code) throws WorkFailure {
      var isMissing = value.isMissingNode() || value.isNull();
      return RecordFormat.of(isMissing ? CSV : value.asString(""))
          .orElseThrow(
              () -> WorkFailure.permanent(code, "format must be one of " + RecordFormat.names()));
    }

    private static String name(JsonNode value, String code) throws WorkFailure {
      if (value.isMissingNode() || value.isNull()) return "";
      var name = value.asString("");
      if (name.matches("[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}")) return name; // F53
      throw WorkFailure.permanent(code, "name must be 1 to 100 letters, digits, dots, - and _");
    }
  }

  /// Writes the file and makes a link to it.
  ///
  /// @param id the same for every attempt
  /// @return `format, records, bytes, object, url, expiresAt`
  public ObjectNode export(String id, Records records, ExportOptions wish)
      throws WorkFailure, InterruptedException {
    var name = wish.name().isEmpty() ? "" : "/" + wish.name();
    var key = "exports/" + SafeName.of(id) + name + "." + wish.format().wire();
    return exported(key, records, wish);
  }

  /// Writes the file to where a step's options want it in the bucket of exports, outside our own
  /// folders.
  public ObjectNode exportTo(ObjectAddress object, Records records, ExportOptions wish)
      throws WorkFailure, InterruptedException {
    check(object);
    return exported(object.key(), records, wish);
  }

  /// Refuses an address that nothing may be written to.
  public void check(ObjectAddress object) throws WorkFailure {
    if (!object.bucket().equals(config.bucket())) {
      throw WorkFailure.permanent(
          OPTIONS,
          "object is in a bucket that nothing may be stored in: allowed is " + config.bucket());
    }
    // With the slash, so that nobody puts a file where a folder of ours has to be.
    var path = object.key() + "/";
    var folder = OURS.stream().filter(path::startsWith).findFirst();
    if (folder.isPresent()) {
      throw WorkFailure.permanent(
          OPTIONS,
          "object is in %s, which is kept for the files of tasks and steps: name another folder"
              .formatted(folder.get()));
    }
  }

  private ObjectNode exported(String key, Records records, ExportOptions wish)
      throws WorkFailure, InterruptedException {
    try {
      return write(key, records, wish);
    } catch (IOException | S3Exception | AnalyticsException failed) {
      throw RecordFailures.of(failed);
    }
  }

  private ObjectNode write(String key, Records records, ExportOptions wish)
      throws IOException, WorkFailure, InterruptedException {
    Files.createDirectories(scratch);
    var file = Files.createTempFile(scratch, "export", "." + wish.format().wire());
    try {
      var count = write(records, wish.format(), file);
      put(key, file, wish.format(), count);
      return result(wish, key, count, Files.size(file));
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private long write(Records records, RecordFormat format, Path file)
      throws IOException, WorkFailure, InterruptedException {
    var writer = writer(format);
    if (format == RecordFormat.NDJSON) return writer.write(records, file);
    // Tables are made in two turns, and both have to see the same.
    try (var snapshot = RecordSnapshot.of(records, scratch)) {
      return writer.write(snapshot, file);
    }
  }

  private FormatWriter writer(RecordFormat format) {
    return switch (format) {
      case CSV -> new CsvWriter();
      case NDJSON -> new NdjsonWriter();
      case PARQUET -> new ParquetWriter(tables);
      case XLSX -> new XlsxWriter();
    };
  }

  private void put(String key, Path file, RecordFormat format, long count) throws IOException {
    var metadata = Map.of("records", String.valueOf(count));
    try {
      blobs.put(config.bucket(), key, file, format.contentType(), metadata);
    } catch (S3Exception failed) {
      if (!failed.isMissing()) throw failed;
      blobs.createBucketIfMissing(config.bucket());
      blobs.put(config.bucket(), key, file, format.contentType(), metadata);
    } catch (IllegalArgumentException tooLarge) {
      throw new RecordsException(String.valueOf(tooLarge.getMessage()));
    }
  }

  private ObjectNode result(ExportOptions wish, String key, long count, long bytes) {
    var name = key.substring(key.lastIndexOf('/') + 1);
    var link = blobs.link(config.bucket(), key, config.linkTtl(), name);
    return Json.object()
        .put("format", wish.format().wire())
        .put("records", count)
        .put("bytes", bytes)
        .put("object", "s3://" + config.bucket() + "/" + key)
        .put("url", link.url().toString())
        .put("expiresAt", MILLIS.format(link.expiresAt()));
  }
}
