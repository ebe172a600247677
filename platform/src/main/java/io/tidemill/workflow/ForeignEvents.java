package io.tidemill.workflow;

import static io.tidemill.contract.workflow.WorkflowFields.COMPLETED_AT;
import static io.tidemill.contract.workflow.WorkflowFields.CURRENT_STEP;
import static io.tidemill.contract.workflow.WorkflowFields.CURRENT_STEP_INDEX;
import static io.tidemill.contract.workflow.WorkflowFields.ERROR;
import static io.tidemill.contract.workflow.WorkflowFields.MAX_RETRIES;
import static io.tidemill.contract.workflow.WorkflowFields.RESULT;
import static io.tidemill.contract.workflow.WorkflowFields.STEPS_COMPLETED;
import static io.tidemill.contract.workflow.WorkflowFields.SUMMARY;
import static io.tidemill.contract.workflow.WorkflowFields.TASK_ID;
import static io.tidemill.contract.workflow.WorkflowFields.WORKFLOW_ID;

import io.tidemill.contract.workflow.ExecutionCodec;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionEvent.StepCompleted;
import io.tidemill.contract.workflow.ExecutionEvent.TaskFailed;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.contract.workflow.WorkflowFields;
import io.tidemill.json.Json;
import io.tidemill.workflow.ExecutionStore.FollowerEvent;
import io.tidemill.workflow.ExecutionStore.Report;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The changes of records that the events of foreign processors ask for (C2.4).
public final class ForeignEvents {
  // Members of payloads that the record has under another name.
  private static final Map<String, String> RENAMED =
      Map.of(
          "failedStep", CURRENT_STEP,
          "failedStepIndex", CURRENT_STEP_INDEX,
          "finalError", ERROR,
          "failedAt", COMPLETED_AT,
          "deadLetteredAt", COMPLETED_AT);

  // Members of any type, kept as JSON.
  private static final Set<String> JSON = Set.of(SUMMARY, RESULT);

  private ForeignEvents() {}

  /// How an event changes the record; empty for `created` events and those of unknown types.
  ///
  /// @param place partition and offset of the event, `p:o`
  public static Optional<Report> report(ExecutionEvent event, String place) {
    return status(event)
        .map(status -> new Report(place, status, null, FollowerEvent.of(event), fields(event)));
  }

  /// Schedules the retry that a foreign processor announced, for any processor of ours (C2.10).
  public static Report retry(TaskFailed failed, String place) {
    var fields = new LinkedHashMap<>(fields(failed));
    fields.put(MAX_RETRIES, String.valueOf(failed.maxRetries()));
    return new Report(
        place, ExecutionStatus.RETRYING, failed.nextRetryAt(), FollowerEvent.of(failed), fields);
  }

  private static Optional<ExecutionStatus> status(ExecutionEvent event) {
    return switch (event) {
      case ExecutionEvent.WorkflowProcessing _,
          ExecutionEvent.StepCompleted _,
          ExecutionEvent.TaskProcessing _ ->
          Optional.of(ExecutionStatus.PROCESSING);
      case ExecutionEvent.WorkflowCompleted _, ExecutionEvent.TaskCompleted _ ->
          Optional.of(ExecutionStatus.COMPLETED);
      case ExecutionEvent.WorkflowFailed _ -> Optional.of(ExecutionStatus.FAILED);
      case ExecutionEvent.TaskFailed _ -> Optional.of(ExecutionStatus.RETRYING);
      case ExecutionEvent.TaskDeadLetter _ -> Optional.of(ExecutionStatus.DEAD_LETTER);
      case ExecutionEvent.WorkflowCreated _,
          ExecutionEvent.TaskCreated _,
          ExecutionEvent.Unknown _ ->
          Optional.empty();
    };
  }

  private static Map<String, String> fields(ExecutionEvent event) {
    var payload = ExecutionCodec.payload(event);
    payload.remove(List.of(WORKFLOW_ID, TASK_ID, MAX_RETRIES, "originalEvent"));
    if (event instanceof StepCompleted step) return stepFields(step, Json.text(payload));
    if (event instanceof TaskFailed) payload.remove("failedAt");
    var fields = new LinkedHashMap<String, String>();
    for (var member : payload.properties()) {
      var value = member.getValue();
      var isJson = !value.isString() || JSON.contains(member.getKey());
      var text = isJson ? Json.text(value) : value.stringValue();
      fields.put(RENAMED.getOrDefault(member.getKey(), member.getKey()), text);
    }
    return fields;
  }

  // The event does not name the next step; that step's own event does.
  private static Map<String, String> stepFields(StepCompleted step, String result) {
    return Map.of(
        WorkflowFields.step(step.stepIndex()),
        result,
        STEPS_COMPLETED,
        String.valueOf(step.stepIndex() + 1),
        CURRENT_STEP,
        step.stepName(),
        CURRENT_STEP_INDEX,
        String.valueOf(step.stepIndex()));
  }
}
