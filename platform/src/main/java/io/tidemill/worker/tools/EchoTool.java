package io.tidemill.worker.tools;

import io.tidemill.worker.JobCall;
import io.tidemill.worker.Tool;
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
