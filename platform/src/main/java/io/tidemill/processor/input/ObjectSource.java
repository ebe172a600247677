package io.tidemill.processor.input;

import io.tidemill.api.Records;
import io.tidemill.api.WorkFailure;
import io.tidemill.processor.record.StoredRecords;
import io.tidemill.s3.ObjectAddress;
import io.tidemill.s3.ObjectStore;
import io.tidemill.s3.S3Exception;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads an object of the store: `{"object":"s3://bucket/key"}`.
public final class ObjectSource implements InputSource {
  private static final int LONGEST = 2_000;

  private final ObjectStore blobs;
  private final List<String> buckets;

  /// @param buckets that may be read from
  public ObjectSource(ObjectStore blobs, List<String> buckets) {
    this.blobs = blobs;
    this.buckets = List.copyOf(buckets);
  }

  @Override
  public Records records(JsonNode value, ObjectNode input) throws WorkFailure {
    var address = address(InputSources.text(value, "object", LONGEST));
    try {
      if (blobs.head(address.bucket(), address.key()).isEmpty()) {
        throw WorkFailure.permanent("OBJECT_NOT_FOUND", "there is no object " + address);
      }
    } catch (S3Exception failed) {
      throw RecordFailures.of(failed);
    }
    return new StoredRecords(blobs, address.bucket(), address.key(), -1);
  }

  private ObjectAddress address(String text) throws WorkFailure {
    try {
      var address = ObjectAddress.parse(text);
      if (buckets.contains(address.bucket())) return address;
    } catch (IllegalArgumentException wrong) {
      throw InputSources.invalid("object is " + wrong.getMessage());
    }
    throw InputSources.invalid(
        "object is in a bucket that inputs may not come from: allowed are "
            + String.join(", ", buckets));
  }
}
