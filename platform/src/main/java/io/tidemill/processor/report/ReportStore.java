package io.tidemill.processor.report;

import io.tidemill.http.PublicUrl;
import io.tidemill.processor.record.FileOwner;
import io.tidemill.processor.record.SafeName;
import io.tidemill.s3.ObjectAddress;
import io.tidemill.s3.ObjectStore;
import io.tidemill.s3.S3Exception;
import java.util.Map;

/// Stores finished reports; a repeated one replaces the first.
///
/// @param gateway where they can be read
public record ReportStore(ObjectStore blobs, String bucket, PublicUrl gateway) {
  /// An object and a link to it.
  record Kept(String address, String url) {}

  Kept keep(FileOwner owner, String ending, byte[] bytes, String contentType) {
    var object = new ObjectAddress(bucket, "reports/" + SafeName.of(owner.id()) + ending);
    try {
      blobs.put(bucket, object.key(), bytes, contentType, Map.of());
    } catch (S3Exception failed) {
      if (!failed.isMissing()) throw failed;
      blobs.createBucketIfMissing(bucket);
      blobs.put(bucket, object.key(), bytes, contentType, Map.of());
    }
    return new Kept(object.toString(), gateway.of(owner.path().apply(object.name())));
  }
}
