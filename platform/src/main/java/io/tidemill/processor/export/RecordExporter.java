package io.tidemill.processor.export;

import io.tidemill.analytics.AnalyticsException;
import io.tidemill.analytics.ParquetFiles;
import io.tidemill.api.Records;
import io.tidemill.api.WorkFailure;
import io.tidemill.http.PublicUrl;
import io.tidemill.json.Json;
import io.tidemill.processor.input.RecordFailures;
import io.tidemill.processor.record.FileOwner;
import io.tidemill.processor.record.RecordSnapshot;
import io.tidemill.processor.record.RecordsException;
import io.tidemill.processor.record.SafeName;
import io.tidemill.s3.ObjectAddress;
import io.tidemill.s3.ObjectStore;
import io.tidemill.s3.S3Exception;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Writes records as one file into the object store, atomically; a repeated export replaces it.
///
/// @param gateway where the files can be downloaded
/// @param scratch the folder for files that are being written
public record RecordExporter(
    ObjectStore blobs, ExportConfig config, ParquetFiles tables, PublicUrl gateway, Path scratch) {
  /// The error code of invalid options of a step.
  static final String OPTIONS = "INVALID_OPTIONS";

  // Objects there belong to tasks and steps, and links to them are in use.
  private static final List<String> OURS = List.of("exports/", "reports/", "records/", "rejects/");

  /// What to export.
  ///
  /// @param name of the file, without its ending; empty = the id
  public record ExportOptions(RecordFormat format, String name) {
    private static final String CSV = "csv";

    /// Reads `format` and `name`.
    ///
    /// @param code of the error when they are invalid
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
  /// @return `format, records, bytes, object, url`
  public ObjectNode export(FileOwner owner, Records records, ExportOptions options)
      throws WorkFailure, InterruptedException {
    var name = options.name().isEmpty() ? "" : "/" + options.name();
    var key = "exports/" + SafeName.of(owner.id()) + name + "." + options.format().wire();
    return exported(owner, address(key), records, options);
  }

  /// Writes the file to the object that a step's options name, in the bucket of exports and outside
  /// the reserved folders.
  public ObjectNode exportTo(
      FileOwner owner, ObjectAddress object, Records records, ExportOptions options)
      throws WorkFailure, InterruptedException {
    check(object);
    return exported(owner, object, records, options);
  }

  private ObjectAddress address(String key) {
    return new ObjectAddress(config.bucket(), key);
  }

  /// Refuses an address that nothing may be written to.
  public void check(ObjectAddress object) throws WorkFailure {
    if (!object.bucket().equals(config.bucket())) {
      throw WorkFailure.permanent(
          OPTIONS,
          "object is in a bucket that nothing may be stored in: allowed is " + config.bucket());
    }
    // With the slash, so that no file takes the name of a reserved folder.
    var path = object.key() + "/";
    var folder = OURS.stream().filter(path::startsWith).findFirst();
    if (folder.isPresent()) {
      throw WorkFailure.permanent(
          OPTIONS,
          "object is in %s, which is kept for the files of tasks and steps: name another folder"
              .formatted(folder.get()));
    }
  }

  private ObjectNode exported(
      FileOwner owner, ObjectAddress object, Records records, ExportOptions options)
      throws WorkFailure, InterruptedException {
    try {
      return write(object, records, options)
          .put("url", gateway.of(owner.path().apply(object.name())));
    } catch (IOException | S3Exception | AnalyticsException failed) {
      throw RecordFailures.of(failed);
    }
  }

  private ObjectNode write(ObjectAddress object, Records records, ExportOptions options)
      throws IOException, WorkFailure, InterruptedException {
    Files.createDirectories(scratch);
    var file = Files.createTempFile(scratch, "export", "." + options.format().wire());
    try {
      var count = write(records, options.format(), file);
      put(object.key(), file, options.format(), count);
      return Json.object()
          .put("format", options.format().wire())
          .put("records", count)
          .put("bytes", Files.size(file))
          .put("object", object.toString());
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private long write(Records records, RecordFormat format, Path file)
      throws IOException, WorkFailure, InterruptedException {
    var writer = writer(format);
    if (format == RecordFormat.NDJSON) return writer.write(records, file);
    // Tables take two passes, and both have to see the same records.
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
      blobs.putCreatingBucket(config.bucket(), key, file, format.contentType(), metadata);
    } catch (IllegalArgumentException tooLarge) {
      throw new RecordsException(String.valueOf(tooLarge.getMessage()));
    }
  }
}
