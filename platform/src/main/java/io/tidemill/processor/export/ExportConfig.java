package io.tidemill.processor.export;

import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import io.tidemill.s3.BucketName;
import java.time.Duration;

/// Settings of exports, read from keys `export.*`.
@Section("export")
public record ExportConfig(
    @Setting(value = "tidemill", doc = "The bucket of exported files and of reports.")
        String bucket,
    @Setting(
            value = "24h",
            doc = "How long the download link of an exported file works, at most 7d.")
        Duration linkTtl) {
  private static final Duration LONGEST = Duration.ofDays(7); // S3's own limit

  public ExportConfig {
    BucketName.check("export.bucket", bucket);
    if (linkTtl.toSeconds() < 1 || linkTtl.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("export.link-ttl is " + linkTtl + ": expected 1s to 7d");
    }
  }
}
