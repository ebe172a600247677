package io.tidemill.workflow;

import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionEvent.TaskCreated;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowCreated;
import io.tidemill.contract.workflow.ExecutionRecords;
import io.tidemill.workflow.ExecutionStore.FollowerEvent;
import java.time.Instant;
import java.util.Map;

/// A workflow or task that the store may not know yet.
///
/// @param group filters lists beside the status: priority or type
/// @param fields of its hash
/// @param event the first one that followers see
public record NewExecution(
    String id, Instant createdAt, String group, Map<String, String> fields, FollowerEvent event) {
  public NewExecution {
    fields = Map.copyOf(fields);
  }

  /// @param more fields beside those of the event
  public static NewExecution of(ExecutionEvent created, Map<String, String> more) {
    return switch (created) {
      case WorkflowCreated workflow -> {
        var fields = ExecutionRecords.fields(workflow);
        fields.putAll(more);
        yield of(workflow, workflow.createdAt(), ExecutionRecords.group(workflow), fields);
      }
      case TaskCreated task -> {
        var fields = ExecutionRecords.fields(task);
        fields.putAll(more);
        yield of(task, task.createdAt(), ExecutionRecords.group(task), fields);
      }
      default -> throw new IllegalArgumentException(created.type() + " creates nothing");
    };
  }

  private static NewExecution of(
      ExecutionEvent created, Instant at, String group, Map<String, String> fields) {
    return new NewExecution(created.id(), at, group, fields, FollowerEvent.of(created));
  }
}
