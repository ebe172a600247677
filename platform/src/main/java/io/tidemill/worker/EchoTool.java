package io.tidemill.worker;

import tools.jackson.databind.JsonNode;

/// Returns its input.
public final class EchoTool implements Tool {
  @Override
  public String name() {
    return "echo";
  }

  @Override
  public JsonNode call(JsonNode arguments, JobCall job) {
    return arguments;
  }
}
