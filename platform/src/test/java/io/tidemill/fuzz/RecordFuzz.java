package io.tidemill.fuzz;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import io.tidemill.contract.Json;
import io.tidemill.contract.job.JobCodec;
import java.util.HashMap;

/// Whatever somebody wrote into a hash, an event or a dead entry can be shown.
public final class RecordFuzz {
  private static final String[] NAMES = {
    "job_id",
    "task",
    "payload",
    "status",
    "created_ts",
    "ttl_s",
    "result",
    "error",
    "type",
    "ts",
    "step",
    "data",
    "fields",
    "attempts"
  };

  private RecordFuzz() {}

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    var fields = new HashMap<String, String>();
    while (data.remainingBytes() > 0 && fields.size() < NAMES.length) {
      fields.put(data.pickValue(NAMES), data.consumeString(data.consumeInt(0, 100)));
    }
    JobCodec.decodeJob("id", fields)
        .ifPresent(job -> Json.parse(Json.bytes(JobCodec.encodeJob(job))));
    Json.parse(JobCodec.encodeEvent(JobCodec.decodeEvent("1-0", fields)));
    JobCodec.decodeFields(JobCodec.decodeDead("1-0", fields).fields());
  }
}
