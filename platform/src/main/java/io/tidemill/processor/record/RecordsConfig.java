package io.tidemill.processor.record;

import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import io.tidemill.s3.BucketName;
import java.util.List;

/// Settings of the records of workflows, read from keys `records.*`.
@Section("records")
public record RecordsConfig(
    @Setting(
            value = "workflow-records",
            doc = "The bucket of records on their way from step to step.")
        String bucket,
    @Setting(
            value = "crawl-results,tidemill,inputs",
            doc = "Buckets that inputs of workflows and exports may name.")
        List<String> inputBuckets) {
  public RecordsConfig {
    inputBuckets = List.copyOf(inputBuckets);
    BucketName.check("records.bucket", bucket);
    for (var input : inputBuckets) BucketName.check("records.input-buckets", input);
    if (inputBuckets.contains(bucket)) {
      throw new IllegalArgumentException(
          "records.input-buckets is "
              + String.join(",", inputBuckets)
              + ": expected buckets other than records.bucket, where everybody's records lie");
    }
  }
}
