package io.tidemill.fuzz;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import io.tidemill.contract.Decoded;
import io.tidemill.contract.Json;
import io.tidemill.contract.job.JobCodec;
import io.tidemill.contract.job.JobNames;
import java.util.HashMap;

/// Any fields of a queue entry are answered, and are kept whole for the dead stream.
public final class EntryFuzz {
  private static final String[] NAMES = {
    "job_id", "task", "payload", "traceparent", "idempotency_key", "other"
  };

  private EntryFuzz() {}

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    var fields = new HashMap<String, byte[]>();
    while (data.remainingBytes() > 0 && fields.size() < NAMES.length) {
      fields.put(data.pickValue(NAMES), data.consumeBytes(data.consumeInt(0, 200)));
    }
    if (JobCodec.decodeEntry(fields) instanceof Decoded.Message(var entry)) {
      if (!JobNames.isId(entry.jobId())) throw new AssertionError(entry.jobId());
      Json.text(entry.payload());
    }
    JobCodec.decodeFields(JobCodec.encodeFields(fields));
  }
}
