package io.tidemill.processor.record;

import io.tidemill.api.RecordReader;
import io.tidemill.api.Records;
import io.tidemill.s3.ObjectStore;
import java.io.IOException;

/// The records of one object in the store: NDJSON, a JSON array or a single value; plain, gzip or
/// zstd.
///
/// @param count the number of records of an object that a step wrote; -1 for foreign objects
public record StoredRecords(ObjectStore blobs, String bucket, String key, long count)
    implements Records {
  /// @throws S3Exception when the object is missing or the store is not well
  @Override
  public RecordReader open() throws IOException {
    var bytes = blobs.open(bucket, key);
    return count < 0 ? JsonRecords.open(bytes) : JsonRecords.openLines(bytes);
  }

  /// Where it lies, as `s3://bucket/key`.
  public String uri() {
    return "s3://" + bucket + "/" + key;
  }
}
