package io.tidemill.worker.tool;

import io.tidemill.api.JobCall;
import io.tidemill.json.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Waits for `ms` milliseconds and reports progress; a cancel interrupts it.
public final class SleepTool extends BuiltInTool {
  private static final ObjectNode SCHEMA =
      ToolArguments.schema(
          """
          {"ms": {"type": "integer", "minimum": 0, "maximum": 3600000, "description": "How long, in milliseconds."}}
          """,
          "ms");
  private static final int REPORTS = 10;

  public SleepTool() {
    super("sleep", false, "Waits for some milliseconds and tells how far it is.", SCHEMA);
  }

  @Override
  public JsonNode call(JsonNode arguments, JobCall job) throws Exception {
    var millis = arguments.path("ms").asLong();
    for (int part = 0; part < REPORTS; part++) {
      Thread.sleep(millis * (part + 1) / REPORTS - millis * part / REPORTS);
      // Short waits report nothing.
      if (millis >= 1_000)
        job.progress((part + 1.0) / REPORTS, "slept " + millis * (part + 1) / REPORTS + " ms");
    }
    return Json.object().put("slept_ms", millis);
  }
}
