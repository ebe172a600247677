package io.tidemill.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.contract.Decoded;
import io.tidemill.contract.Json;
import io.tidemill.contract.flow.FlowCodec;
import io.tidemill.contract.flow.FlowError;
import io.tidemill.contract.flow.FlowEvent;
import io.tidemill.contract.flow.FlowEvent.TaskCreated;
import io.tidemill.contract.flow.FlowEvent.WorkflowCreated;
import io.tidemill.contract.flow.FlowForms;
import io.tidemill.contract.flow.FlowKind;
import io.tidemill.contract.flow.FlowRecords;
import io.tidemill.contract.flow.FlowStatus;
import io.tidemill.contract.flow.FlowTime;
import io.tidemill.contract.flow.Priority;
import io.tidemill.flow.CreatedEvents;
import java.net.URLEncoder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// What differs between workflows and tasks, as the gateway sees them.
///
/// @param taskTypes those that somebody can run
record FlowShape(FlowKind kind, Set<String> taskTypes) {
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

  FlowShape {
    taskTypes = Set.copyOf(taskTypes);
  }

  /// In the plural, as in paths and lists.
  String plural() {
    return kind.topic();
  }

  String path(String id) {
    return "/api/" + plural() + "/" + URLEncoder.encode(id, UTF_8).replace("+", "%20");
  }

  /// The event that a submission becomes.
  Decoded<? extends FlowEvent> decode(byte[] body, Instant now) {
    return switch (kind) {
      case WORKFLOW -> FlowForms.workflow(body, now);
      case TASK -> FlowForms.task(body, taskTypes, now);
    };
  }

  /// The event that a record began with.
  FlowEvent created(Map<String, String> record) {
    return CreatedEvents.of(kind, record);
  }

  /// What the client gave to work on, and the name of its field.
  static Map.Entry<String, Integer> inputSize(FlowEvent created) {
    return switch (created) {
      case WorkflowCreated workflow -> Map.entry("input", size(workflow.input()));
      case TaskCreated task -> Map.entry("data", size(task.data()));
      default -> Map.entry("", 0);
    };
  }

  private static int size(@Nullable ObjectNode tree) {
    return tree == null ? 0 : Json.text(tree).getBytes(UTF_8).length;
  }

  ObjectNode show(Map<String, String> record) {
    return switch (kind) {
      case WORKFLOW -> FlowRecords.workflow(record);
      case TASK -> FlowRecords.task(record);
    };
  }

  /// What lists can be filtered by beside the status.
  String groupName() {
    return kind == FlowKind.WORKFLOW ? "priority" : "type";
  }

  List<String> groups() {
    return switch (kind) {
      case WORKFLOW -> Arrays.stream(Priority.values()).map(Priority::wire).toList();
      case TASK -> {
        var types = new ArrayList<>(new TreeSet<>(FlowRecords.TASK_TYPES));
        types.add("other");
        yield types;
      }
    };
  }

  /// The types of events after which nothing comes.
  Set<String> terminal() {
    return Set.of(ended(FlowStatus.COMPLETED), ended(FlowStatus.FAILED));
  }

  /// The type of the event that tells of an end.
  private String ended(FlowStatus status) {
    return switch (kind) {
      case WORKFLOW ->
          status == FlowStatus.COMPLETED
              ? FlowEvent.WorkflowCompleted.TYPE
              : FlowEvent.WorkflowFailed.TYPE;
      case TASK ->
          status == FlowStatus.COMPLETED
              ? FlowEvent.TaskCompleted.TYPE
              : FlowEvent.TaskDeadLetter.TYPE;
    };
  }

  /// The type of the event that tells of a status.
  String eventType(FlowStatus status) {
    return switch (status) {
      case PENDING ->
          kind == FlowKind.WORKFLOW ? FlowEvent.WorkflowCreated.TYPE : FlowEvent.TaskCreated.TYPE;
      case PROCESSING ->
          kind == FlowKind.WORKFLOW
              ? FlowEvent.WorkflowProcessing.TYPE
              : FlowEvent.TaskProcessing.TYPE;
      case RETRYING -> FlowEvent.TaskFailed.TYPE;
      case COMPLETED, FAILED, CANCELED, DEAD_LETTER -> ended(status);
    };
  }

  /// The last event of one that ends before its time.
  FlowEvent failed(Map<String, String> record, FlowError error, Instant at) {
    return switch (kind) {
      case WORKFLOW -> {
        var steps = FlowRecords.workflowCreated(record).steps();
        var index = index(record, steps);
        yield new FlowEvent.WorkflowFailed(
            record.getOrDefault("workflowId", ""),
            at,
            record.getOrDefault("currentStep", steps.get(index)),
            index,
            error);
      }
      case TASK -> {
        var created = FlowRecords.taskCreated(record);
        var original = Json.object().put("eventType", TaskCreated.TYPE);
        original.set("payload", FlowCodec.payload(created));
        yield new FlowEvent.TaskDeadLetter(
            created.taskId(),
            original,
            FlowRecords.number(record, "retryCount"),
            created.maxRetries(),
            error,
            at);
      }
    };
  }

  /// What is wrong with a report on it, beginning with the field's name.
  Optional<String> fault(Map<String, String> record, Map<String, String> report) {
    if (kind == FlowKind.TASK) return Optional.empty();
    var last = FlowRecords.workflowCreated(record).steps().size() - 1;
    return FlowRecords.number(report, "currentStepIndex") <= last
        ? Optional.empty()
        : Optional.of("currentStepIndex must be a whole number from 0 to " + last);
  }

  /// How the record changes when it begins again; throws when the wish can't be met.
  Reset reset(Map<String, String> record, FlowForms.Again again) {
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
    var steps = FlowRecords.workflowCreated(record).steps();
    var from = from(record, index(record, steps), wanted);
    fields.put("currentStepIndex", String.valueOf(from));
    fields.put("currentStep", steps.get(from));
    if (from > 0) fields.put("stepsCompleted", String.valueOf(from));
    for (int i = from; i < steps.size(); i++) {
      removed.addAll(List.of(FlowRecords.step(i), FlowRecords.after(i)));
    }
    rewind(record, from, fields, removed);
  }

  // A processor of another make may have counted beyond the last one.
  private static int index(Map<String, String> record, List<String> steps) {
    return Math.min(FlowRecords.number(record, "currentStepIndex"), steps.size() - 1);
  }

  private static int from(Map<String, String> record, int failed, @Nullable Integer wanted) {
    var from = wanted == null ? failed : wanted;
    if (from > failed) {
      throw new IllegalArgumentException(
          "fromStep must be a whole number from 0 to %d, the step that failed".formatted(failed));
    }
    if (from == 0 || record.containsKey(FlowRecords.after(from - 1))) return from;
    // The step before has not run, or a processor of another make ran it: what that left is not
    // ours to go on with.
    if (wanted == null) return 0;
    throw new IllegalArgumentException(
        "fromStep must not be %d: what the step before it left is not known here".formatted(from));
  }

  // Every step starts with what the one before it left, and goes on counting where that one was.
  private static void rewind(
      Map<String, String> record, int from, Map<String, String> fields, List<String> removed) {
    var after = FlowRecords.object(record, FlowRecords.after(from - 1));
    if (after.has("left")) fields.put("left", Json.text(after.get("left")));
    for (var count : List.of("total", "failed")) {
      if (after.has(count)) fields.put(count, after.get(count).asString());
    }
    removed.addAll(List.of("left", "total", "failed"));
  }

  /// What followers are told of an event: its payload, without what they may have given themselves.
  static String told(FlowEvent event) {
    return Json.text(FlowCodec.payload(event).without(List.of("originalEvent", "input", "data")));
  }

  static String json(FlowError error) {
    return Json.text(Json.object().put("code", error.code()).put("message", error.message()));
  }

  static String time(Instant at) {
    return FlowTime.encode(at);
  }
}
