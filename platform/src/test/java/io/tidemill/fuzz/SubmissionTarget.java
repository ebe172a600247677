package io.tidemill.fuzz;

import io.tidemill.contract.Decoded;
import io.tidemill.contract.job.JobCodec;
import io.tidemill.json.Json;

/// Bodies of `POST /v1/jobs`: whatever is accepted can be written, and read again as it was.
public final class SubmissionTarget {
  private SubmissionTarget() {}

  public static void fuzzerTestOneInput(byte[] body) {
    if (!(JobCodec.decodeSubmission(body, 3600) instanceof Decoded.Message(var job))) return;
    var payload = Json.parse(job.payload());
    if (!payload.isObject() || !Json.text(payload).equals(job.payload())) {
      throw new AssertionError("payload changes when it is read again: " + job.payload());
    }
    if (job.ttlSeconds() < 1 || job.ttlSeconds() > JobCodec.MAX_TTL_SECONDS) {
      throw new AssertionError("ttl " + job.ttlSeconds());
    }
  }
}
