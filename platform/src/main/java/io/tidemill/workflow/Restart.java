package io.tidemill.workflow;

import static io.tidemill.contract.workflow.WorkflowFields.COMPLETED_AT;
import static io.tidemill.contract.workflow.WorkflowFields.CURRENT_STEP;
import static io.tidemill.contract.workflow.WorkflowFields.CURRENT_STEP_INDEX;
import static io.tidemill.contract.workflow.WorkflowFields.DATA;
import static io.tidemill.contract.workflow.WorkflowFields.DURATION;
import static io.tidemill.contract.workflow.WorkflowFields.ERROR;
import static io.tidemill.contract.workflow.WorkflowFields.FAILED;
import static io.tidemill.contract.workflow.WorkflowFields.FIRST_RETRY_COUNT;
import static io.tidemill.contract.workflow.WorkflowFields.INPUT;
import static io.tidemill.contract.workflow.WorkflowFields.LEFT;
import static io.tidemill.contract.workflow.WorkflowFields.MAX_RETRIES;
import static io.tidemill.contract.workflow.WorkflowFields.NEXT_ATTEMPT_AT;
import static io.tidemill.contract.workflow.WorkflowFields.NEXT_RETRY_AT;
import static io.tidemill.contract.workflow.WorkflowFields.PROGRESS;
import static io.tidemill.contract.workflow.WorkflowFields.RESULT;
import static io.tidemill.contract.workflow.WorkflowFields.RETRY_COUNT;
import static io.tidemill.contract.workflow.WorkflowFields.STARTED_AT;
import static io.tidemill.contract.workflow.WorkflowFields.STATE;
import static io.tidemill.contract.workflow.WorkflowFields.STEPS_COMPLETED;
import static io.tidemill.contract.workflow.WorkflowFields.SUMMARY;
import static io.tidemill.contract.workflow.WorkflowFields.TOTAL;
import static io.tidemill.contract.workflow.WorkflowFields.TRIES;

import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionEvent.TaskCreated;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowCreated;
import io.tidemill.contract.workflow.ExecutionForms.Again;
import io.tidemill.contract.workflow.WorkflowFields;
import io.tidemill.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How the record of a failed or canceled workflow or task changes when it begins again.
///
/// @param created the event to publish
/// @param fields to write
/// @param removed fields of the earlier run
record Restart(ExecutionEvent created, Map<String, String> fields, List<String> removed) {
  private static final List<String> EARLIER_RUN =
      List.of(
          ERROR,
          STARTED_AT,
          COMPLETED_AT,
          DURATION,
          STEPS_COMPLETED,
          SUMMARY,
          RESULT,
          PROGRESS,
          TRIES,
          STATE,
          NEXT_RETRY_AT,
          NEXT_ATTEMPT_AT);

  /// Throws an [IllegalArgumentException] when it can't begin at the step asked for.
  static Restart of(ExecutionRecord record, Again again) {
    return switch (record) {
      case Workflow workflow -> of(workflow, again);
      case Task task -> of(task.created(), again);
    };
  }

  private static Restart of(TaskCreated task, Again again) {
    var fields = new LinkedHashMap<>(Map.of(RETRY_COUNT, "0", FIRST_RETRY_COUNT, "0"));
    if (again.data() != null) fields.put(DATA, Json.text(again.data()));
    if (again.maxRetries() != null) fields.put(MAX_RETRIES, String.valueOf(again.maxRetries()));
    var created =
        new TaskCreated(
            task.id(),
            task.taskType(),
            again.data() == null ? task.data() : again.data(),
            0,
            again.maxRetries() == null ? task.maxRetries() : again.maxRetries(),
            task.createdAt(),
            task.more());
    return new Restart(created, fields, EARLIER_RUN);
  }

  private static Restart of(Workflow workflow, Again again) {
    var from = from(workflow, again.fromStep());
    var steps = workflow.steps();
    var fields = new LinkedHashMap<String, String>();
    var removed = new ArrayList<>(EARLIER_RUN);
    if (again.input() != null) fields.put(INPUT, Json.text(again.input()));
    fields.put(CURRENT_STEP_INDEX, String.valueOf(from));
    fields.put(CURRENT_STEP, steps.get(from));
    if (from > 0) fields.put(STEPS_COMPLETED, String.valueOf(from));
    for (int i = from; i < steps.size(); i++) {
      removed.addAll(List.of(WorkflowFields.step(i), WorkflowFields.after(i)));
    }
    restoreCheckpoint(workflow, from, fields, removed);
    removed.removeAll(fields.keySet());
    return new Restart(withInput(workflow.created(), again), fields, removed);
  }

  private static WorkflowCreated withInput(WorkflowCreated created, Again again) {
    return new WorkflowCreated(
        created.id(),
        created.name(),
        created.steps(),
        created.priority(),
        created.createdAt(),
        again.input() == null ? created.input() : again.input(),
        created.more());
  }

  private static int from(Workflow workflow, @Nullable Integer wanted) {
    var failed = workflow.stepIndex();
    var from = wanted == null ? failed : wanted;
    if (from > failed) {
      throw new IllegalArgumentException(
          "fromStep must be a whole number from 0 to %d, the step that failed".formatted(failed));
    }
    if (from == 0 || workflow.checkpoints().containsKey(from - 1)) return from;
    // The step before has not run, or a processor of another make ran it and its output is not
    // known here.
    if (wanted == null) return 0;
    throw new IllegalArgumentException(
        "fromStep must not be %d: what the step before it left is not known here".formatted(from));
  }

  // Every step starts with the output of the one before it, and continues its counts.
  private static void restoreCheckpoint(
      Workflow workflow, int from, Map<String, String> fields, List<String> removed) {
    var checkpoint = workflow.checkpoints().getOrDefault(from - 1, Json.object());
    if (checkpoint.has(LEFT)) fields.put(LEFT, Json.text(checkpoint.get(LEFT)));
    for (var count : List.of(TOTAL, FAILED)) {
      if (checkpoint.has(count)) fields.put(count, checkpoint.get(count).asString());
    }
    removed.addAll(List.of(LEFT, TOTAL, FAILED));
  }
}
