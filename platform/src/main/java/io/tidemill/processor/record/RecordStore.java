package io.tidemill.processor.record;

import io.tidemill.api.RecordWriter;
import io.tidemill.api.Records;
import io.tidemill.json.Json;
import io.tidemill.s3.ObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Stores the output of steps: small amounts inline, larger ones as one object that is named after
/// the step's id, so that a repeated step replaces it.
///
/// @param scratch the folder for files that are being written
public record RecordStore(ObjectStore blobs, String bucket, Path scratch) {
  /// Up to this many bytes of JSON, records stay in memory and go into the journal.
  public static final int MAX_INLINE = 64 * 1024;

  private static final String CONTENT_TYPE = "application/x-ndjson";

  /// Opens a writer for the output of a step.
  public RecordWriter writer(String id) {
    return new SpillingWriter(this, key(id));
  }

  /// Stores records under an id; records that are stored already are returned as they are.
  public Records keep(String id, Records records) throws IOException {
    if (records instanceof StoredRecords stored && stored.bucket().equals(bucket)) return records;
    if (records instanceof InlineRecords inline && inline.size() <= MAX_INLINE) return records;
    try (var writer = writer(id);
        var reader = records.open()) {
      for (var record = reader.next(); record != null; record = reader.next()) writer.write(record);
      return writer.finish();
    }
  }

  /// Deletes stored records, if they are an object of this store.
  public void forget(Records records) {
    if (records instanceof StoredRecords stored && stored.bucket().equals(bucket)) {
      blobs.delete(bucket, stored.key());
    }
  }

  /// Encodes stored records for a journal.
  ///
  /// @throws IllegalArgumentException when they are not stored
  public ObjectNode encode(Records records) {
    return switch (records) {
      case InlineRecords(var list) -> {
        var tree = Json.object();
        list.forEach(tree.putArray("records")::add);
        yield tree;
      }
      case StoredRecords stored ->
          Json.object()
              .put("bucket", stored.bucket())
              .put("key", stored.key())
              .put("count", stored.count());
      default -> throw new IllegalArgumentException("the records are not kept yet");
    };
  }

  /// Decodes the result of [#encode].
  ///
  /// @throws IllegalArgumentException when it is not what [#encode] makes
  public Records decode(ObjectNode tree) {
    if (tree.get("records") instanceof ArrayNode list) {
      return new InlineRecords(list.valueStream().toList());
    }
    return new StoredRecords(
        blobs, text(tree, "bucket"), text(tree, "key"), tree.path("count").asLong(-1));
  }

  private static String text(ObjectNode tree, String name) {
    var text = tree.path(name).asString("");
    if (text.isEmpty()) throw new IllegalArgumentException("kept records lack " + name);
    return text;
  }

  static String key(String id) {
    return "records/" + SafeName.of(id) + ".ndjson.gz";
  }

  Path file() throws IOException {
    Files.createDirectories(scratch);
    return Files.createTempFile(scratch, "records", ".ndjson.gz");
  }

  StoredRecords store(String key, Path file, long count) throws IOException {
    var metadata = Map.of("records", String.valueOf(count));
    blobs.putCreatingBucket(bucket, key, file, CONTENT_TYPE, metadata);
    return new StoredRecords(blobs, bucket, key, count);
  }
}
