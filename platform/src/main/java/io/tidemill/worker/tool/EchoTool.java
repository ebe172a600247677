package io.tidemill.worker.tool;

import io.tidemill.api.JobCall;
import io.tidemill.json.Json;
import tools.jackson.databind.JsonNode;

/// Returns its input.
public final class EchoTool extends BuiltInTool {
  public EchoTool() {
    super(
        "echo",
        true,
        "Returns its arguments as they are: shows that jobs are worked on.",
        Json.object().put("type", "object"));
  }

  @Override
  public JsonNode call(JsonNode arguments, JobCall job) {
    return arguments;
  }
}
