package io.tidemill.workflow;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.contract.workflow.ExecutionCodec;
import io.tidemill.contract.workflow.ExecutionError;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionEvent.TaskCreated;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowCreated;
import io.tidemill.contract.workflow.ExecutionForms;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionRecords;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.contract.workflow.ExecutionTime;
import io.tidemill.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// How workflows and tasks differ: in their events, and in what is left of them when they begin
/// again.
public record ExecutionShape(ExecutionKind kind) {
  // What tells of the last life, and must not be there in the next one.
  private static final List<String> LAST_LIFE =
      List.of(
          "error",
          "startedAt",
          "completedAt",
          "duration",
          "stepsCompleted",
          "summary",
          "result",
          "progress",
          "tries",
          "state",
          "nextRetryAt",
          "nextAttemptAt");

  /// How a record changes when it begins again.
  record Reset(Map<String, String> fields, List<String> removed) {}

  /// The event that a record began with.
  ExecutionEvent created(Map<String, String> record) {
    return CreatedEventPublisher.of(kind, record);
  }

  /// What the client gave to work on, and the name of its field.
  static Map.Entry<String, Integer> inputSize(ExecutionEvent created) {
    return switch (created) {
      case WorkflowCreated workflow -> Map.entry("input", size(workflow.input()));
      case TaskCreated task -> Map.entry("data", size(task.data()));
      default -> Map.entry("", 0);
    };
  }

  private static int size(@Nullable ObjectNode tree) {
    return tree == null ? 0 : Json.text(tree).getBytes(UTF_8).length;
  }

  /// The types of events after which nothing comes.
  public Set<String> terminal() {
    return Set.of(ended(ExecutionStatus.COMPLETED), ended(ExecutionStatus.FAILED));
  }

  /// The type of the event that tells of an end.
  private String ended(ExecutionStatus status) {
    return switch (kind) {
      case WORKFLOW ->
          status == ExecutionStatus.COMPLETED
              ? ExecutionEvent.WorkflowCompleted.TYPE
              : ExecutionEvent.WorkflowFailed.TYPE;
      case TASK ->
          status == ExecutionStatus.COMPLETED
              ? ExecutionEvent.TaskCompleted.TYPE
              : ExecutionEvent.TaskDeadLetter.TYPE;
    };
  }

  /// The type of the event that tells of a status.
  public String eventType(ExecutionStatus status) {
    return switch (status) {
      case PENDING ->
          kind == ExecutionKind.WORKFLOW
              ? ExecutionEvent.WorkflowCreated.TYPE
              : ExecutionEvent.TaskCreated.TYPE;
      case PROCESSING ->
          kind == ExecutionKind.WORKFLOW
              ? ExecutionEvent.WorkflowProcessing.TYPE
              : ExecutionEvent.TaskProcessing.TYPE;
      case RETRYING -> ExecutionEvent.TaskFailed.TYPE;
      case COMPLETED, FAILED, CANCELED, DEAD_LETTER -> ended(status);
    };
  }

  /// The last event of one that ends before its time.
  ExecutionEvent failed(Map<String, String> record, ExecutionError error, Instant at) {
    return switch (kind) {
      case WORKFLOW -> {
        var steps = ExecutionRecords.workflowCreated(record).steps();
        var index = index(record, steps);
        yield new ExecutionEvent.WorkflowFailed(
            record.getOrDefault("workflowId", ""),
            at,
            record.getOrDefault("currentStep", steps.get(index)),
            index,
            error);
      }
      case TASK -> {
        var created = ExecutionRecords.taskCreated(record);
        var original = Json.object().put("eventType", TaskCreated.TYPE);
        original.set("payload", ExecutionCodec.payload(created));
        yield new ExecutionEvent.TaskDeadLetter(
            created.taskId(),
            original,
            ExecutionRecords.number(record, "retryCount"),
            created.maxRetries(),
            error,
            at);
      }
    };
  }

  /// What is wrong with a report on it, beginning with the field's name.
  public Optional<String> fault(Map<String, String> record, Map<String, String> report) {
    if (kind == ExecutionKind.TASK) return Optional.empty();
    var last = ExecutionRecords.workflowCreated(record).steps().size() - 1;
    return ExecutionRecords.number(report, "currentStepIndex") <= last
        ? Optional.empty()
        : Optional.of("currentStepIndex must be a whole number from 0 to " + last);
  }

  /// How the record changes when it begins again; throws when the wish can't be met.
  Reset reset(Map<String, String> record, ExecutionForms.Again again) {
    var fields = new LinkedHashMap<String, String>();
    var removed = new ArrayList<>(LAST_LIFE);
    if (again.input() != null) fields.put("input", Json.text(again.input()));
    if (again.data() != null) fields.put("data", Json.text(again.data()));
    if (again.maxRetries() != null) fields.put("maxRetries", String.valueOf(again.maxRetries()));
    switch (kind) {
      case TASK -> fields.putAll(Map.of("retryCount", "0", "firstRetryCount", "0"));
      case WORKFLOW -> begin(record, again.fromStep(), fields, removed);
    }
    removed.removeAll(fields.keySet());
    return new Reset(fields, removed);
  }

  private static void begin(
      Map<String, String> record,
      @Nullable Integer wanted,
      Map<String, String> fields,
      List<String> removed) {
    var steps = ExecutionRecords.workflowCreated(record).steps();
    var from = from(record, index(record, steps), wanted);
    fields.put("currentStepIndex", String.valueOf(from));
    fields.put("currentStep", steps.get(from));
    if (from > 0) fields.put("stepsCompleted", String.valueOf(from));
    for (int i = from; i < steps.size(); i++) {
      removed.addAll(List.of(ExecutionRecords.step(i), ExecutionRecords.after(i)));
    }
    rewind(record, from, fields, removed);
  }

  // A processor of another make may have counted beyond the last one.
  private static int index(Map<String, String> record, List<String> steps) {
    return Math.min(ExecutionRecords.number(record, "currentStepIndex"), steps.size() - 1);
  }

  private static int from(Map<String, String> record, int failed, @Nullable Integer wanted) {
    var from = wanted == null ? failed : wanted;
    if (from > failed) {
      throw new IllegalArgumentException(
          "fromStep must be a whole number from 0 to %d, the step that failed".formatted(failed));
    }
    if (from == 0 || record.containsKey(ExecutionRecords.after(from - 1))) return from;
    // The step before has not run, or a processor of another make ran it: what that left is not
    // ours to go on with.
    if (wanted == null) return 0;
    throw new IllegalArgumentException(
        "fromStep must not be %d: what the step before it left is not known here".formatted(from));
  }

  // Every step starts with what the one before it left, and goes on counting where that one was.
  private static void rewind(
      Map<String, String> record, int from, Map<String, String> fields, List<String> removed) {
    var after = ExecutionRecords.object(record, ExecutionRecords.after(from - 1));
    if (after.has("left")) fields.put("left", Json.text(after.get("left")));
    for (var count : List.of("total", "failed")) {
      if (after.has(count)) fields.put(count, after.get(count).asString());
    }
    removed.addAll(List.of("left", "total", "failed"));
  }

  /// What followers are told of an event: its payload, without what they may have given themselves.
  public static String eventData(ExecutionEvent event) {
    return Json.text(
        ExecutionCodec.payload(event).without(List.of("originalEvent", "input", "data")));
  }

  static String json(ExecutionError error) {
    return Json.text(Json.object().put("code", error.code()).put("message", error.message()));
  }

  static String time(Instant at) {
    return ExecutionTime.encode(at);
  }
}
