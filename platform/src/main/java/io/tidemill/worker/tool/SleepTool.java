package io.tidemill.worker.tool;

import io.tidemill.api.JobCall;
import io.tidemill.api.Tool;
import io.tidemill.json.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Waits for `ms` milliseconds, telling how far it is; ends at once when the job is canceled.
public final class SleepTool implements Tool {
  private static final ObjectNode SCHEMA =
      ToolArguments.schema(
          """
          {"ms": {"type": "integer", "minimum": 0, "maximum": 3600000, "description": "How long, in milliseconds."}}
          """,
          "ms");
  private static final int REPORTS = 10;

  @Override
  public String name() {
    return "sleep";
  }

  @Override
  public String description() {
    return "Waits for some milliseconds and tells how far it is.";
  }

  @Override
  public ObjectNode schema() {
    return SCHEMA.deepCopy();
  }

  @Override
  public JsonNode call(JsonNode arguments, JobCall job) throws Exception {
    var whole = arguments.path("ms").asLong();
    for (int part = 0; part < REPORTS; part++) {
      Thread.sleep(whole * (part + 1) / REPORTS - whole * part / REPORTS);
      // Short naps need no reports.
      if (whole >= 1_000)
        job.progress((part + 1.0) / REPORTS, "slept " + whole * (part + 1) / REPORTS + " ms");
    }
    return Json.object().put("slept_ms", whole);
  }
}
