package io.tidemill.worker;

import io.tidemill.contract.Json;
import tools.jackson.databind.JsonNode;

/// Waits for `ms` milliseconds, telling how far it is; ends at once when the job is canceled.
public final class SleepTool implements Tool {
  private static final long MOST = 3_600_000;
  private static final int REPORTS = 10;

  @Override
  public String name() {
    return "sleep";
  }

  @Override
  public JsonNode call(JsonNode arguments, JobCall job) throws Exception {
    var ms = arguments.path("ms");
    if (!ms.isIntegralNumber() || ms.longValue() < 0 || ms.longValue() > MOST) {
      throw new JobFailure("BAD_ARGUMENTS", "ms must be a whole number from 0 to " + MOST);
    }
    var whole = ms.longValue();
    for (int part = 0; part < REPORTS; part++) {
      Thread.sleep(whole * (part + 1) / REPORTS - whole * part / REPORTS);
      // Short naps need no reports.
      if (whole >= 1_000)
        job.progress((part + 1.0) / REPORTS, "slept " + whole * (part + 1) / REPORTS + " ms");
    }
    return Json.object().put("slept_ms", whole);
  }
}
