package io.tidemill.processor.export;

import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import io.tidemill.s3.BucketName;

/// Settings of exports, read from keys `export.*`.
@Section("export")
public record ExportConfig(
    @Setting(value = "tidemill", doc = "The bucket of exported files and of reports.")
        String bucket) {
  public ExportConfig {
    BucketName.check("export.bucket", bucket);
  }
}
