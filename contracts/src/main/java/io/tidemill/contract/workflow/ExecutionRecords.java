package io.tidemill.contract.workflow;

import static io.tidemill.contract.workflow.WorkflowFields.BOOST;
import static io.tidemill.contract.workflow.WorkflowFields.COMPLETED_AT;
import static io.tidemill.contract.workflow.WorkflowFields.CREATED_AT;
import static io.tidemill.contract.workflow.WorkflowFields.CURRENT_STEP;
import static io.tidemill.contract.workflow.WorkflowFields.CURRENT_STEP_INDEX;
import static io.tidemill.contract.workflow.WorkflowFields.DATA;
import static io.tidemill.contract.workflow.WorkflowFields.DURATION;
import static io.tidemill.contract.workflow.WorkflowFields.ERROR;
import static io.tidemill.contract.workflow.WorkflowFields.FIRST_RETRY_COUNT;
import static io.tidemill.contract.workflow.WorkflowFields.INPUT;
import static io.tidemill.contract.workflow.WorkflowFields.MAX_RETRIES;
import static io.tidemill.contract.workflow.WorkflowFields.MORE;
import static io.tidemill.contract.workflow.WorkflowFields.NAME;
import static io.tidemill.contract.workflow.WorkflowFields.NEXT_ATTEMPT_AT;
import static io.tidemill.contract.workflow.WorkflowFields.NEXT_RETRY_AT;
import static io.tidemill.contract.workflow.WorkflowFields.PRIORITY;
import static io.tidemill.contract.workflow.WorkflowFields.PROGRESS;
import static io.tidemill.contract.workflow.WorkflowFields.RESULT;
import static io.tidemill.contract.workflow.WorkflowFields.RETRY_COUNT;
import static io.tidemill.contract.workflow.WorkflowFields.STARTED_AT;
import static io.tidemill.contract.workflow.WorkflowFields.STATUS;
import static io.tidemill.contract.workflow.WorkflowFields.STEPS;
import static io.tidemill.contract.workflow.WorkflowFields.STEPS_COMPLETED;
import static io.tidemill.contract.workflow.WorkflowFields.SUMMARY;
import static io.tidemill.contract.workflow.WorkflowFields.TASK_ID;
import static io.tidemill.contract.workflow.WorkflowFields.TRIES;
import static io.tidemill.contract.workflow.WorkflowFields.TYPE;
import static io.tidemill.contract.workflow.WorkflowFields.WORKFLOW_ID;
import static io.tidemill.contract.workflow.WorkflowFields.step;

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

  private ExecutionRecords() {}

  /// The fields of a new workflow.
  public static Map<String, String> fields(WorkflowCreated created) {
    var fields = new LinkedHashMap<String, String>();
    fields.put(WORKFLOW_ID, created.id());
    fields.put(NAME, created.name());
    fields.put(STEPS, Json.text(created.steps()));
    fields.put(PRIORITY, created.priority().wire());
    fields.put(CREATED_AT, ExecutionTime.encode(created.createdAt()));
    fields.put(BOOST, String.valueOf(headStart(created.priority())));
    if (created.input() != null) fields.put(INPUT, Json.text(created.input()));
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
    fields.put(TASK_ID, created.id());
    fields.put(TYPE, created.taskType());
    fields.put(DATA, Json.text(created.data()));
    fields.put(RETRY_COUNT, String.valueOf(created.retryCount()));
    fields.put(FIRST_RETRY_COUNT, String.valueOf(created.retryCount()));
    fields.put(MAX_RETRIES, String.valueOf(created.maxRetries()));
    fields.put(CREATED_AT, ExecutionTime.encode(created.createdAt()));
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
    var steps = Json.parse(record.getOrDefault(STEPS, "[]"));
    return new WorkflowCreated(
        record.getOrDefault(WORKFLOW_ID, ""),
        record.getOrDefault(NAME, ""),
        steps.valueStream().map(JsonNode::stringValue).toList(),
        Priority.of(record.getOrDefault(PRIORITY, "")).orElse(Priority.MEDIUM),
        ExecutionTime.decode(record.getOrDefault(CREATED_AT, "")).orElseThrow(),
        record.containsKey(INPUT) ? object(record, INPUT) : null,
        object(record, MORE));
  }

  /// The event that a task began with, made again from its record.
  public static TaskCreated taskCreated(Map<String, String> record) {
    return new TaskCreated(
        record.getOrDefault(TASK_ID, ""),
        record.getOrDefault(TYPE, ""),
        object(record, DATA),
        number(record, FIRST_RETRY_COUNT),
        number(record, MAX_RETRIES),
        ExecutionTime.decode(record.getOrDefault(CREATED_AT, "")).orElseThrow(),
        object(record, MORE));
  }

  /// The fields of a record that every list shows.
  public static List<String> shortFields(ExecutionKind kind) {
    return switch (kind) {
      case WORKFLOW ->
          List.of(
              WORKFLOW_ID,
              NAME,
              STEPS,
              PRIORITY,
              STATUS,
              CURRENT_STEP,
              CURRENT_STEP_INDEX,
              CREATED_AT,
              STARTED_AT,
              COMPLETED_AT,
              DURATION,
              STEPS_COMPLETED,
              ERROR,
              TRIES,
              NEXT_ATTEMPT_AT,
              PROGRESS);
      case TASK ->
          List.of(
              TASK_ID,
              TYPE,
              STATUS,
              RETRY_COUNT,
              MAX_RETRIES,
              CREATED_AT,
              STARTED_AT,
              COMPLETED_AT,
              NEXT_RETRY_AT,
              DURATION,
              ERROR,
              PROGRESS);
    };
  }

  /// The fields that a list shows when they are short.
  public static List<String> longFields(ExecutionKind kind) {
    return switch (kind) {
      case WORKFLOW -> List.of(SUMMARY, INPUT);
      case TASK -> List.of(DATA, RESULT);
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
    text(tree, record, WORKFLOW_ID, NAME);
    json(tree, record, STEPS);
    text(tree, record, PRIORITY, STATUS, CURRENT_STEP);
    whole(tree, record, CURRENT_STEP_INDEX);
    text(tree, record, CREATED_AT, STARTED_AT, COMPLETED_AT);
    whole(tree, record, DURATION);
    whole(tree, record, STEPS_COMPLETED);
    error(tree, record);
    json(tree, record, SUMMARY);
    results(tree, record);
    if (record.containsKey(TRIES)) whole(tree, record, TRIES);
    if (record.containsKey(NEXT_ATTEMPT_AT)) text(tree, record, NEXT_ATTEMPT_AT);
    if (record.containsKey(PROGRESS)) json(tree, record, PROGRESS);
    if (record.containsKey(INPUT)) json(tree, record, INPUT);
    return tree;
  }

  private static void results(ObjectNode tree, Map<String, String> record) {
    var results = tree.putArray("results");
    for (int i = 0; record.containsKey(step(i)); i++) results.add(value(record.get(step(i))));
  }

  /// A task as `GET /api/tasks/{id}` answers it.
  public static ObjectNode task(Map<String, String> record) {
    var tree = Json.object();
    text(tree, record, TASK_ID, TYPE);
    json(tree, record, DATA);
    text(tree, record, STATUS);
    whole(tree, record, RETRY_COUNT);
    whole(tree, record, MAX_RETRIES);
    text(tree, record, CREATED_AT, STARTED_AT, COMPLETED_AT, NEXT_RETRY_AT);
    whole(tree, record, DURATION);
    error(tree, record);
    json(tree, record, RESULT);
    if (record.containsKey(PROGRESS)) json(tree, record, PROGRESS);
    return tree;
  }

  // Where in the code it happened is for logs and for the contract's events, not for clients.
  private static void error(ObjectNode tree, Map<String, String> record) {
    var error = value(record.get(ERROR));
    if (error instanceof ObjectNode object) object.remove("stack");
    tree.set(ERROR, error);
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
