package io.tidemill.fuzz;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import io.tidemill.contract.job.JobCodec;
import io.tidemill.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/// Hashes, events and dead entries that somebody else wrote: all can be shown.
public final class RecordTarget {
  private static final String[] NAMES = {
    "job_id",
    "task",
    "payload",
    "status",
    "created_ts",
    "updated_ts",
    "ttl_s",
    "result",
    "error",
    "type",
    "ts",
    "step",
    "data",
    "origin",
    "attempts",
    "fields"
  };

  private RecordTarget() {}

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    var fields = fields(data);
    JobCodec.decodeJob("id", fields).map(JobCodec::encodeJob).ifPresent(Json::text);
    Json.parse(JobCodec.encodeEvent(JobCodec.decodeEvent("1-0", fields)));
    JobCodec.decodeDead("1-0", fields);
  }

  // As Redis replies are read: bytes, taken for UTF-8.
  private static Map<String, String> fields(FuzzedDataProvider data) {
    var fields = new HashMap<String, String>();
    while (data.remainingBytes() > 0) {
      var value = data.consumeBytes(data.consumeInt(0, 200));
      fields.put(data.pickValue(NAMES), new String(value, StandardCharsets.UTF_8));
    }
    return fields;
  }
}
