package io.tidemill.store.redis;

import io.tidemill.contract.Json;
import io.tidemill.contract.flow.FlowCodec;
import io.tidemill.contract.flow.FlowEvent;
import io.tidemill.contract.flow.FlowEvent.TaskCreated;
import io.tidemill.contract.flow.FlowEvent.WorkflowCreated;
import io.tidemill.contract.flow.FlowRecords;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/// A workflow or task that the store may not know yet.
///
/// @param group what lists can be filtered by beside the status: priority or type
/// @param fields of its record
/// @param eventType of the first event that followers see
/// @param eventData its data, JSON text
public record NewFlow(
    String id,
    Instant createdAt,
    String group,
    Map<String, String> fields,
    String eventType,
    String eventData) {
  private static final List<String> LONG = List.of("input", "data");

  public NewFlow {
    fields = Map.copyOf(fields);
  }

  /// What a `created` event asks for.
  ///
  /// @param more fields beside those of the event
  public static NewFlow of(FlowEvent created, Map<String, String> more) {
    return switch (created) {
      case WorkflowCreated workflow ->
          of(
              workflow,
              workflow.createdAt(),
              FlowRecords.group(workflow),
              FlowRecords.fields(workflow),
              more);
      case TaskCreated task ->
          of(task, task.createdAt(), FlowRecords.group(task), FlowRecords.fields(task), more);
      default -> throw new IllegalArgumentException(created.type() + " creates nothing");
    };
  }

  private static NewFlow of(
      FlowEvent created,
      Instant at,
      String group,
      Map<String, String> fields,
      Map<String, String> more) {
    fields.putAll(more);
    // Followers need not be told what whoever asked for it knows, and which may be long.
    var data = FlowCodec.payload(created).without(LONG);
    return new NewFlow(created.id(), at, group, fields, created.type(), Json.text(data));
  }
}
