package io.tidemill.worker.tool;

import io.tidemill.api.JobCall;
import io.tidemill.api.Tool;
import tools.jackson.databind.JsonNode;

/// Returns its input.
public final class EchoTool implements Tool {
  @Override
  public String name() {
    return "echo";
  }

  @Override
  public String description() {
    return "Returns its arguments as they are: shows that jobs are worked on.";
  }

  @Override
  public boolean isReadOnly() {
    return true;
  }

  @Override
  public JsonNode call(JsonNode arguments, JobCall job) {
    return arguments;
  }
}
