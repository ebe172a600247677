package io.tidemill.support;

import io.tidemill.api.JobCall;
import io.tidemill.json.Json;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.JsonNode;

/// An attempt at a job without a platform around it; what the handler says is kept.
public final class RecordedCall implements JobCall {
  private final JsonNode payload;
  private final List<String> said = new CopyOnWriteArrayList<>();

  public RecordedCall(String payload) {
    this.payload = Json.parse(payload);
  }

  /// Tokens as `1:text` with the number of the take, logs as `log:text`.
  public List<String> said() {
    return said;
  }

  @Override
  public String id() {
    return "recorded";
  }

  @Override
  public JsonNode payload() {
    return payload;
  }

  @Override
  public int attempt() {
    return 1;
  }

  @Override
  public void progress(double fraction, String message) {
    said.add("progress:" + message);
  }

  @Override
  public void log(String message) {
    said.add("log:" + message);
  }

  @Override
  public void token(String text, int take) {
    said.add(take + ":" + text);
  }
}
