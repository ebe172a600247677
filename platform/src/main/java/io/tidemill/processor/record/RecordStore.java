package io.tidemill.processor.record;

import io.tidemill.api.RecordWriter;
import io.tidemill.api.Records;
import io.tidemill.json.Json;
import io.tidemill.s3.ObjectStore;
import io.tidemill.s3.S3Exception;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Keeps what steps leave: small amounts as they are, larger ones as one object whose name is made
/// of the step's id, so that a repeated step replaces what it left.
public final class RecordStore {
  /// Up to this many bytes of JSON, records stay in memory and go into the journal.
  public static final int MAX_INLINE = 64 * 1024;

  private static final String CONTENT_TYPE = "application/x-ndjson";

  private final ObjectStore blobs;
  private final String bucket;
  private final Path scratch;

  /// @param scratch where files lie while they are written
  public RecordStore(ObjectStore blobs, String bucket, Path scratch) {
    this.blobs = blobs;
    this.bucket = bucket;
    this.scratch = scratch;
  }

  /// Takes what the step of that id leaves.
  public RecordWriter writer(String id) {
    return new SpillingWriter(this, key(id));
  }

  /// Records that stay: those that are kept already are returned as they are, others are written
  /// out under that id.
  public Records keep(String id, Records records) throws IOException {
    if (records instanceof StoredRecords stored && stored.bucket().equals(bucket)) return records;
    if (records instanceof InlineRecords inline && inline.size() <= MAX_INLINE) return records;
    try (var writer = writer(id);
        var reader = records.open()) {
      for (var record = reader.next(); record != null; record = reader.next()) writer.write(record);
      return writer.finish();
    }
  }

  /// Deletes kept records, if they are an object of this shelf.
  public void forget(Records records) {
    if (records instanceof StoredRecords stored && stored.bucket().equals(bucket)) {
      blobs.delete(bucket, stored.key());
    }
  }

  /// Kept records, for a journal.
  ///
  /// @throws IllegalArgumentException when they were not kept by a shelf
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

  /// The way back.
  ///
  /// @throws IllegalArgumentException when it is not what [#encode] makes
  public Records decode(ObjectNode tree) {
    if (tree.get("records") instanceof tools.jackson.databind.node.ArrayNode list) {
      var records = new ArrayList<JsonNode>();
      list.forEach(records::add);
      return new InlineRecords(records);
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
    try {
      blobs.put(bucket, key, file, CONTENT_TYPE, metadata);
    } catch (S3Exception failed) {
      if (!failed.isMissing()) throw failed;
      blobs.createBucketIfMissing(bucket);
      blobs.put(bucket, key, file, CONTENT_TYPE, metadata);
    }
    return new StoredRecords(blobs, bucket, key, count);
  }
}
