package io.tidemill.processor.step;

import io.tidemill.api.StepCall;
import io.tidemill.processor.record.SafeName;
import io.tidemill.s3.ObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// Where steps keep the records that they reject.
///
/// @param scratch the folder for files that are being written
public record RejectStore(Upload upload, Path scratch) {
  /// Uploads a file as an object.
  public interface Upload {
    /// @param name derived from the step's id: a repeated step replaces the object
    /// @return the object's address, as `s3://bucket/key`
    String put(String name, Path file) throws IOException;
  }

  /// Keeps rejected records as objects of a bucket.
  static RejectStore in(ObjectStore blobs, String bucket, Path scratch) {
    return new RejectStore(
        (name, file) -> {
          var key = "rejects/" + SafeName.of(name);
          blobs.putCreatingBucket(bucket, key, file, "application/x-ndjson", Map.of());
          return "s3://" + bucket + "/" + key;
        },
        scratch);
  }

  RejectedRecords open(StepCall call) {
    return new RejectedRecords(call, this, Files::newOutputStream);
  }
}
