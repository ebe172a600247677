package io.tidemill.fuzz;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import io.tidemill.contract.Decoded;
import io.tidemill.contract.job.JobCodec;
import io.tidemill.contract.job.JobNames;
import java.util.Arrays;
import java.util.LinkedHashMap;

/// Queue entries: each is a job or malformed, and its fields survive the dead stream.
public final class EntryTarget {
  private static final String[] NAMES = {
    "job_id", "task", "payload", "traceparent", "idempotency_key", "other"
  };

  private EntryTarget() {}

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    var fields = new LinkedHashMap<String, byte[]>();
    while (data.remainingBytes() > 0 && fields.size() < NAMES.length) {
      fields.put(data.pickValue(NAMES), data.consumeBytes(data.consumeInt(0, 200)));
    }
    if (JobCodec.decodeEntry(fields) instanceof Decoded.Message(var entry)
        && !JobNames.isId(entry.jobId())) {
      throw new AssertionError("no id: " + entry.jobId());
    }
    JobCodec.decodeFields(JobCodec.encodeFields(fields))
        .forEach((name, value) -> {
          if (!Arrays.equals(value, fields.get(name))) throw new AssertionError(name);
        });
  }
}
