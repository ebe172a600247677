package io.tidemill.processor;

import io.tidemill.contract.workflow.ExecutionCodec;
import io.tidemill.contract.workflow.ExecutionMessage;
import io.tidemill.contract.workflow.ExecutionTime;
import io.tidemill.json.Json;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// An event on its way to the topic, as it will be there.
record OutboxEvent(String eventId, String type, Instant at, String json) {
  private static final ObjectNode CUT = Json.object().put("tooLarge", true);

  /// @param payload of the message's event, as text
  static OutboxEvent of(ExecutionMessage message, String payload) {
    return new OutboxEvent(
        message.eventId(),
        message.event().type(),
        message.timestamp(),
        ExecutionCodec.text(message, payload));
  }

  /// The same event without what may be long, for a broker that takes only short ones (F08).
  OutboxEvent shortened() {
    var tree = (ObjectNode) Json.parse(json);
    var payload = tree.path("payload");
    if (payload instanceof ObjectNode object) {
      if (object.has("result")) object.set("result", CUT);
      if (object.has("summary")) object.set("summary", CUT);
    }
    if (payload.at("/originalEvent/payload") instanceof ObjectNode original) {
      original.retain(List.of("taskId", "type", "retryCount", "maxRetries", "createdAt"));
      original.set("data", CUT);
    }
    for (var name : List.of("error", "finalError")) {
      if (payload.get(name) instanceof ObjectNode error) error.put("stack", "");
    }
    return new OutboxEvent(eventId, type, at, Json.text(tree));
  }

  /// One that was recorded earlier, maybe by another process.
  static OutboxEvent parse(String json) {
    var tree = Json.parse(json);
    return new OutboxEvent(
        tree.path("eventId").asString(),
        tree.path("eventType").asString(),
        ExecutionTime.decode(tree.path("timestamp").asString()).orElseThrow(),
        json);
  }
}
