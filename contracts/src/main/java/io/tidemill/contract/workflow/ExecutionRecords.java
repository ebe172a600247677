package io.tidemill.contract.workflow;

import io.tidemill.contract.workflow.ExecutionEvent.TaskCreated;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowCreated;
import io.tidemill.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The records of workflows and tasks: fields as the store keeps them, JSON as clients see it.
public final class ExecutionRecords {
  /// The types of tasks that the contract names (C2.9).
  public static final Set<String> TASK_TYPES =
      Set.of("email_notification", "data_export", "report_generation");

  /// Under which lists show tasks of a type that we do not know.
  private static final String OTHER_TYPES = "other";

  // How much earlier than it came a workflow counts as ready (C2.6): the longest that a low one
  // waits for the sake of a higher one.
  private static final long HEAD_START_MS = 30_000;

  private static final String MORE = "more";
  private static final String STEP = "step:";
  private static final String AFTER = "after:";

  private ExecutionRecords() {}

  /// The fields of a new workflow.
  public static Map<String, String> fields(WorkflowCreated created) {
    var fields = new LinkedHashMap<String, String>();
    fields.put("workflowId", created.workflowId());
    fields.put("name", created.name());
    fields.put("steps", Json.text(created.steps()));
    fields.put("priority", created.priority().wire());
    fields.put("createdAt", ExecutionTime.encode(created.createdAt()));
    fields.put("boost", String.valueOf(headStart(created.priority())));
    if (created.input() != null) fields.put("input", Json.text(created.input()));
    if (!created.more().isEmpty()) fields.put(MORE, Json.text(created.more()));
    return fields;
  }

  private static long headStart(Priority priority) {
    return switch (priority) {
      case LOW -> 0;
      case MEDIUM -> HEAD_START_MS;
      case HIGH -> 2 * HEAD_START_MS;
    };
  }

  /// The fields of a new task.
  public static Map<String, String> fields(TaskCreated created) {
    var fields = new LinkedHashMap<String, String>();
    fields.put("taskId", created.taskId());
    fields.put("type", created.taskType());
    fields.put("data", Json.text(created.data()));
    fields.put("retryCount", String.valueOf(created.retryCount()));
    fields.put("firstRetryCount", String.valueOf(created.retryCount()));
    fields.put("maxRetries", String.valueOf(created.maxRetries()));
    fields.put("createdAt", ExecutionTime.encode(created.createdAt()));
    if (!created.more().isEmpty()) fields.put(MORE, Json.text(created.more()));
    return fields;
  }

  /// What lists of workflows can be filtered by beside the status.
  public static String group(WorkflowCreated created) {
    return created.priority().wire();
  }

  /// What lists of tasks can be filtered by beside the status.
  public static String group(TaskCreated created) {
    return TASK_TYPES.contains(created.taskType()) ? created.taskType() : OTHER_TYPES;
  }

  /// The event that a workflow began with, made again from its record.
  public static WorkflowCreated workflowCreated(Map<String, String> record) {
    var steps = Json.parse(record.getOrDefault("steps", "[]"));
    return new WorkflowCreated(
        record.getOrDefault("workflowId", ""),
        record.getOrDefault("name", ""),
        steps.valueStream().map(JsonNode::stringValue).toList(),
        Priority.of(record.getOrDefault("priority", "")).orElse(Priority.MEDIUM),
        ExecutionTime.decode(record.getOrDefault("createdAt", "")).orElseThrow(),
        record.containsKey("input") ? object(record, "input") : null,
        object(record, MORE));
  }

  /// The event that a task began with, made again from its record.
  public static TaskCreated taskCreated(Map<String, String> record) {
    return new TaskCreated(
        record.getOrDefault("taskId", ""),
        record.getOrDefault("type", ""),
        object(record, "data"),
        number(record, "firstRetryCount"),
        number(record, "maxRetries"),
        ExecutionTime.decode(record.getOrDefault("createdAt", "")).orElseThrow(),
        object(record, MORE));
  }

  /// The fields of a record that every list shows.
  public static List<String> shortFields(ExecutionKind kind) {
    return switch (kind) {
      case WORKFLOW ->
          List.of(
              "workflowId",
              "name",
              "steps",
              "priority",
              "status",
              "currentStep",
              "currentStepIndex",
              "createdAt",
              "startedAt",
              "completedAt",
              "duration",
              "stepsCompleted",
              "error",
              "tries",
              "nextAttemptAt",
              "progress");
      case TASK ->
          List.of(
              "taskId",
              "type",
              "status",
              "retryCount",
              "maxRetries",
              "createdAt",
              "startedAt",
              "completedAt",
              "nextRetryAt",
              "duration",
              "error",
              "progress");
    };
  }

  /// The fields that a list shows when they are short.
  public static List<String> longFields(ExecutionKind kind) {
    return switch (kind) {
      case WORKFLOW -> List.of("summary", "input");
      case TASK -> List.of("data", "result");
    };
  }

  /// One of a list: without what the list has left out.
  public static ObjectNode listed(ExecutionKind kind, Map<String, String> record) {
    var tree = kind == ExecutionKind.WORKFLOW ? workflow(record) : task(record);
    tree.remove("results");
    for (var field : longFields(kind)) if (!record.containsKey(field)) tree.remove(field);
    return tree;
  }

  /// A workflow as `GET /api/workflows/{id}` answers it.
  public static ObjectNode workflow(Map<String, String> record) {
    var tree = Json.object();
    text(tree, record, "workflowId", "name");
    json(tree, record, "steps");
    text(tree, record, "priority", "status", "currentStep");
    whole(tree, record, "currentStepIndex");
    text(tree, record, "createdAt", "startedAt", "completedAt");
    whole(tree, record, "duration");
    whole(tree, record, "stepsCompleted");
    error(tree, record);
    json(tree, record, "summary");
    results(tree, record);
    if (record.containsKey("tries")) whole(tree, record, "tries");
    if (record.containsKey("nextAttemptAt")) text(tree, record, "nextAttemptAt");
    if (record.containsKey("progress")) json(tree, record, "progress");
    if (record.containsKey("input")) json(tree, record, "input");
    return tree;
  }

  private static void results(ObjectNode tree, Map<String, String> record) {
    var results = tree.putArray("results");
    for (int i = 0; record.containsKey(STEP + i); i++) results.add(value(record.get(STEP + i)));
  }

  /// A task as `GET /api/tasks/{id}` answers it.
  public static ObjectNode task(Map<String, String> record) {
    var tree = Json.object();
    text(tree, record, "taskId", "type");
    json(tree, record, "data");
    text(tree, record, "status");
    whole(tree, record, "retryCount");
    whole(tree, record, "maxRetries");
    text(tree, record, "createdAt", "startedAt", "completedAt", "nextRetryAt");
    whole(tree, record, "duration");
    error(tree, record);
    json(tree, record, "result");
    if (record.containsKey("progress")) json(tree, record, "progress");
    return tree;
  }

  /// The field under which a step's result is kept.
  public static String step(int index) {
    return STEP + index;
  }

  /// The field under which is kept what the next steps need to know of a step: what it left, and
  /// the counts so far. Who begins again in the middle finds them there.
  public static String after(int index) {
    return AFTER + index;
  }

  // Where in the code it happened is for logs and for the contract's events, not for clients.
  private static void error(ObjectNode tree, Map<String, String> record) {
    var error = value(record.get("error"));
    if (error instanceof ObjectNode object) object.remove("stack");
    tree.set("error", error);
  }

  private static void text(ObjectNode tree, Map<String, String> record, String... names) {
    for (var name : names) tree.put(name, record.get(name));
  }

  private static void whole(ObjectNode tree, Map<String, String> record, String name) {
    if (record.containsKey(name)) tree.put(name, Long.parseLong(record.getOrDefault(name, "0")));
    else tree.putNull(name);
  }

  private static void json(ObjectNode tree, Map<String, String> record, String name) {
    tree.set(name, value(record.get(name)));
  }

  /// A JSON object of a record; an empty one when it has none.
  public static ObjectNode object(Map<String, String> record, String name) {
    return value(record.get(name)) instanceof ObjectNode object ? object : Json.object();
  }

  /// A number of a record; 0 when it has none.
  public static int number(Map<String, String> record, String name) {
    var text = record.get(name);
    return text == null || text.isEmpty() ? 0 : Integer.parseInt(text);
  }

  /// A value of a record that is JSON, or was meant to be.
  public static @Nullable JsonNode value(@Nullable String json) {
    if (json == null || json.isEmpty()) return null;
    try {
      return Json.parse(json);
    } catch (JacksonException somebodyElses) {
      return Json.tree(json);
    }
  }
}
