package io.tidemill.workflow;

import io.tidemill.contract.workflow.ExecutionCodec;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionEvent.TaskCreated;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowCreated;
import io.tidemill.contract.workflow.ExecutionRecords;
import io.tidemill.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/// A workflow or task that the store may not know yet.
///
/// @param group what lists can be filtered by beside the status: priority or type
/// @param fields of its record
/// @param eventType of the first event that followers see
/// @param eventData its data, JSON text
public record NewExecution(
    String id,
    Instant createdAt,
    String group,
    Map<String, String> fields,
    String eventType,
    String eventData) {
  private static final List<String> LONG = List.of("input", "data");

  public NewExecution {
    fields = Map.copyOf(fields);
  }

  /// What a `created` event asks for.
  ///
  /// @param more fields beside those of the event
  public static NewExecution of(ExecutionEvent created, Map<String, String> more) {
    return switch (created) {
      case WorkflowCreated workflow ->
          of(
              workflow,
              workflow.createdAt(),
              ExecutionRecords.group(workflow),
              ExecutionRecords.fields(workflow),
              more);
      case TaskCreated task ->
          of(
              task,
              task.createdAt(),
              ExecutionRecords.group(task),
              ExecutionRecords.fields(task),
              more);
      default -> throw new IllegalArgumentException(created.type() + " creates nothing");
    };
  }

  private static NewExecution of(
      ExecutionEvent created,
      Instant at,
      String group,
      Map<String, String> fields,
      Map<String, String> more) {
    fields.putAll(more);
    // Followers need not be told what whoever asked for it knows, and which may be long.
    var data = ExecutionCodec.payload(created).without(LONG);
    return new NewExecution(created.id(), at, group, fields, created.type(), Json.text(data));
  }
}
