package io.tidemill.contract.workflow;

import java.time.Instant;
import tools.jackson.databind.node.ObjectNode;

/// One event with its envelope (C2.2).
///
/// @param metadata empty when the writer gave none
public record ExecutionMessage(
    String eventId, Instant timestamp, ExecutionEvent event, ObjectNode metadata) {
  /// A new event with an id of its own.
  public static ExecutionMessage of(ExecutionEvent event, Instant timestamp, ObjectNode metadata) {
    return new ExecutionMessage(ExecutionNames.newEventId(), timestamp, event, metadata);
  }
}
