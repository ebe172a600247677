package io.tidemill.workflow;

import java.util.List;
import java.util.Map;

/// A workflow or task that this process holds.
///
/// @param run the fence: who holds an older one can't write (F03)
/// @param fields its record as it was when taken
/// @param outbox events that are recorded and not known to be in the topic
public record LeasedExecution(
    String id, String run, Map<String, String> fields, List<String> outbox) {
  /// The field's value; empty text when there is none.
  public String field(String name) {
    return fields.getOrDefault(name, "");
  }
}
