package io.tidemill.support;

import io.tidemill.api.JobCall;
import io.tidemill.json.Json;
import tools.jackson.databind.JsonNode;

/// One attempt at a job that nobody follows.
public record QuietCall(String id, JsonNode payload, int attempt) implements JobCall {
  public QuietCall(String id) {
    this(id, Json.object(), 1);
  }

  /// A job of the task `tool`.
  public static QuietCall of(String tool, JsonNode arguments) {
    var payload = Json.object().put("name", tool);
    payload.set("arguments", arguments);
    return new QuietCall("job", payload, 1);
  }

  @Override
  public void progress(double fraction, String message) {}

  @Override
  public void log(String message) {}

  @Override
  public void token(String text, int take) {}
}
