package io.tidemill.fuzz;

import io.tidemill.contract.Decoded;
import io.tidemill.contract.Json;
import io.tidemill.contract.job.JobCodec;

/// Any body is answered, and an accepted payload reads back as itself.
public final class SubmissionFuzz {
  private SubmissionFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) {
    if (JobCodec.decodeSubmission(input, 3600) instanceof Decoded.Message(var job)) {
      var again = Json.text(Json.parse(job.payload()));
      if (!again.equals(job.payload())) throw new AssertionError(job.payload() + " / " + again);
      if (job.ttlSeconds() < 1 || job.ttlSeconds() > JobCodec.MAX_TTL_SECONDS) {
        throw new AssertionError("ttl " + job.ttlSeconds());
      }
    }
  }
}
