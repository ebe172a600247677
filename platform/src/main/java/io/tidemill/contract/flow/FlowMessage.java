package io.tidemill.contract.flow;

import java.time.Instant;
import tools.jackson.databind.node.ObjectNode;

/// One event with its envelope (C2.2).
///
/// @param metadata empty when the writer gave none
public record FlowMessage(String eventId, Instant timestamp, FlowEvent event, ObjectNode metadata) {
  /// A new event with an id of its own.
  public static FlowMessage of(FlowEvent event, Instant timestamp, ObjectNode metadata) {
    return new FlowMessage(FlowNames.newEventId(), timestamp, event, metadata);
  }
}
