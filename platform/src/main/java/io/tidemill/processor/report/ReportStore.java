package io.tidemill.processor.report;

import io.tidemill.processor.record.SafeName;
import io.tidemill.s3.ObjectStore;
import io.tidemill.s3.S3Exception;
import java.time.Duration;
import java.util.Map;

/// Stores finished reports; a repeated one replaces the first.
///
/// @param life how long links work
public record ReportStore(ObjectStore blobs, String bucket, Links links, Duration life) {
  /// Creates a presigned link.
  public interface Links {
    String link(String bucket, String key, Duration life);
  }

  /// An object and a link to it.
  record Kept(String address, String url) {}

  Kept keep(String id, String ending, byte[] bytes, String contentType) {
    var key = "reports/" + SafeName.of(id) + ending;
    try {
      blobs.put(bucket, key, bytes, contentType, Map.of());
    } catch (S3Exception failed) {
      if (!failed.isMissing()) throw failed;
      blobs.createBucketIfMissing(bucket);
      blobs.put(bucket, key, bytes, contentType, Map.of());
    }
    return new Kept("s3://" + bucket + "/" + key, links.link(bucket, key, life));
  }
}
