package io.tidemill.processor.report;

import io.tidemill.processor.record.SafeName;
import io.tidemill.s3.ObjectStore;
import io.tidemill.s3.S3Exception;
import java.time.Duration;
import java.util.Map;

/// Where finished reports lie: each whole or not at all, and a repeated one in place of the first.
public final class ReportStore {
  /// Makes a link that works for a while and needs no key.
  public interface Links {
    String link(String bucket, String key, Duration life);
  }

  private final ObjectStore blobs;
  private final String bucket;
  private final Links links;
  private final Duration life;

  /// @param life how long links work
  public ReportStore(ObjectStore blobs, String bucket, Links links, Duration life) {
    this.blobs = blobs;
    this.bucket = bucket;
    this.links = links;
    this.life = life;
  }

  /// An object and how to get at it.
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
