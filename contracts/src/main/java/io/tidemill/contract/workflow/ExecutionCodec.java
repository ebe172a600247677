package io.tidemill.contract.workflow;

import io.tidemill.contract.Decoded;
import io.tidemill.contract.workflow.ExecutionEvent.StepCompleted;
import io.tidemill.contract.workflow.ExecutionEvent.TaskCompleted;
import io.tidemill.contract.workflow.ExecutionEvent.TaskCreated;
import io.tidemill.contract.workflow.ExecutionEvent.TaskDeadLetter;
import io.tidemill.contract.workflow.ExecutionEvent.TaskFailed;
import io.tidemill.contract.workflow.ExecutionEvent.TaskProcessing;
import io.tidemill.contract.workflow.ExecutionEvent.Unknown;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowCompleted;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowCreated;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowFailed;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowProcessing;
import io.tidemill.json.Json;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads and writes the events of contract C2; every input has an answer.
public final class ExecutionCodec {
  // More than anybody needs, and few enough for one command of the store.
  private static final int MOST_STEPS = 500;

  private ExecutionCodec() {}

  /// The value of a record.
  public static Decoded<ExecutionMessage> decode(byte[] value) {
    JsonNode tree;
    try {
      tree = Json.parse(value);
    } catch (JacksonException notJson) {
      return new Decoded.Unreadable<>("the event is " + Json.fault(notJson));
    }
    try {
      return new Decoded.Message<>(message(ExecutionReader.of(tree, "the event")));
    } catch (IllegalArgumentException notOurs) {
      return new Decoded.Malformed<>(String.valueOf(notOurs.getMessage()));
    }
  }

  private static ExecutionMessage message(ExecutionReader envelope) {
    var event = event(envelope);
    var metadata = envelope.metadata().orElseGet(Json::object);
    return new ExecutionMessage(
        envelope.text("eventId"), envelope.time("timestamp"), event, metadata);
  }

  private static ExecutionEvent event(ExecutionReader envelope) {
    var type = envelope.text("eventType");
    if (!ExecutionEvent.TYPES.contains(type)) return new Unknown(type);
    return known(type, envelope.inner("payload"));
  }

  private static ExecutionEvent known(String type, ExecutionReader payload) {
    return switch (type) {
      case WorkflowCreated.TYPE -> workflowCreated(payload.shallow());
      case WorkflowProcessing.TYPE ->
          new WorkflowProcessing(
              payload.id("workflowId"),
              payload.time("startedAt"),
              payload.step("currentStep"),
              payload.count("currentStepIndex"));
      case StepCompleted.TYPE ->
          new StepCompleted(
              payload.id("workflowId"),
              payload.text("stepName"),
              payload.count("stepIndex"),
              payload.time("completedAt"),
              payload.millis("duration"),
              payload.any("result"));
      case WorkflowCompleted.TYPE ->
          new WorkflowCompleted(
              payload.id("workflowId"),
              payload.time("completedAt"),
              payload.millis("duration"),
              payload.count("stepsCompleted"),
              payload.any("summary"));
      case WorkflowFailed.TYPE ->
          new WorkflowFailed(
              payload.id("workflowId"),
              payload.time("failedAt"),
              payload.step("failedStep"),
              payload.count("failedStepIndex"),
              payload.error("error"));
      case TaskCreated.TYPE -> taskCreated(payload.shallow());
      case TaskProcessing.TYPE ->
          new TaskProcessing(
              payload.id("taskId"), payload.time("startedAt"), payload.count("retryCount"));
      case TaskCompleted.TYPE ->
          new TaskCompleted(
              payload.id("taskId"),
              payload.time("completedAt"),
              payload.millis("duration"),
              payload.any("result"));
      case TaskFailed.TYPE ->
          new TaskFailed(
              payload.id("taskId"),
              payload.time("failedAt"),
              payload.count("retryCount"),
              payload.count("maxRetries"),
              payload.error("error"),
              payload.time("nextRetryAt"));
      case TaskDeadLetter.TYPE ->
          new TaskDeadLetter(
              payload.id("taskId"),
              payload.object("originalEvent"),
              payload.count("retryCount"),
              payload.count("maxRetries"),
              payload.error("finalError"),
              payload.time("deadLetteredAt"));
      default -> new Unknown(type);
    };
  }

  private static WorkflowCreated workflowCreated(ExecutionReader payload) {
    var priority =
        Priority.of(payload.text("priority"))
            .orElseThrow(() -> payload.wrong("priority", "be one of " + Priority.NAMES));
    var steps = payload.textsOrEmpty("steps");
    if (steps.size() > MOST_STEPS) {
      throw payload.wrong("steps", "have at most " + MOST_STEPS + " names");
    }
    return new WorkflowCreated(
        payload.id("workflowId"),
        payload.text("name"),
        steps,
        priority,
        payload.time("createdAt"),
        payload.optionalObject("input").orElse(null),
        payload.others("workflowId", "name", "steps", "priority", "createdAt", "input"));
  }

  private static TaskCreated taskCreated(ExecutionReader payload) {
    return new TaskCreated(
        payload.id("taskId"),
        payload.text("type"),
        payload.object("data"),
        payload.count("retryCount"),
        payload.count("maxRetries"),
        payload.time("createdAt"),
        payload.others("taskId", "type", "data", "retryCount", "maxRetries", "createdAt"));
  }

  /// The event as a record's value, its fields in the contract's order.
  public static byte[] encode(ExecutionMessage message) {
    return Json.bytes(tree(message));
  }

  /// The same as text, around a payload that is text already.
  ///
  /// @param payload what [#payload] gave for the message's event
  public static String text(ExecutionMessage message, String payload) {
    var text = new StringBuilder(payload.length() + 256);
    text.append("{\"eventType\":").append(Json.text(message.event().type()));
    text.append(",\"eventId\":").append(Json.text(message.eventId()));
    text.append(",\"timestamp\":\"").append(ExecutionTime.encode(message.timestamp()));
    text.append("\",\"payload\":").append(payload);
    if (!message.metadata().isEmpty()) {
      text.append(",\"metadata\":").append(Json.text(message.metadata()));
    }
    return text.append('}').toString();
  }

  /// The same as a tree.
  public static ObjectNode tree(ExecutionMessage message) {
    var tree = Json.object();
    tree.put("eventType", message.event().type());
    tree.put("eventId", message.eventId());
    tree.put("timestamp", ExecutionTime.encode(message.timestamp()));
    tree.set("payload", payload(message.event()));
    if (!message.metadata().isEmpty()) tree.set("metadata", message.metadata());
    return tree;
  }

  /// What the event itself carries.
  public static ObjectNode payload(ExecutionEvent event) {
    var tree = Json.object();
    return switch (event) {
      case WorkflowCreated created -> {
        tree.put("workflowId", created.id());
        tree.put("name", created.name());
        var steps = tree.putArray("steps");
        created.steps().forEach(steps::add);
        tree.put("priority", created.priority().wire());
        tree.put("createdAt", ExecutionTime.encode(created.createdAt()));
        if (created.input() != null) tree.set("input", created.input());
        yield tree.setAll(created.more());
      }
      case WorkflowProcessing started ->
          tree.put("workflowId", started.id())
              .put("startedAt", ExecutionTime.encode(started.startedAt()))
              .put("currentStep", started.currentStep())
              .put("currentStepIndex", started.currentStepIndex());
      case StepCompleted step ->
          tree.put("workflowId", step.id())
              .put("stepName", step.stepName())
              .put("stepIndex", step.stepIndex())
              .put("completedAt", ExecutionTime.encode(step.completedAt()))
              .put("duration", step.duration())
              .set("result", step.result());
      case WorkflowCompleted done ->
          tree.put("workflowId", done.id())
              .put("completedAt", ExecutionTime.encode(done.completedAt()))
              .put("duration", done.duration())
              .put("stepsCompleted", done.stepsCompleted())
              .set("summary", done.summary());
      case WorkflowFailed failed ->
          tree.put("workflowId", failed.id())
              .put("failedAt", ExecutionTime.encode(failed.failedAt()))
              .put("failedStep", failed.failedStep())
              .put("failedStepIndex", failed.failedStepIndex())
              .set("error", error(failed.error()));
      case TaskCreated created ->
          tree.put("taskId", created.id())
              .put("type", created.taskType())
              .set("data", created.data())
              .put("retryCount", created.retryCount())
              .put("maxRetries", created.maxRetries())
              .put("createdAt", ExecutionTime.encode(created.createdAt()))
              .setAll(created.more());
      case TaskProcessing started ->
          tree.put("taskId", started.id())
              .put("startedAt", ExecutionTime.encode(started.startedAt()))
              .put("retryCount", started.retryCount());
      case TaskCompleted done ->
          tree.put("taskId", done.id())
              .put("completedAt", ExecutionTime.encode(done.completedAt()))
              .put("duration", done.duration())
              .set("result", done.result());
      case TaskFailed failed ->
          tree.put("taskId", failed.id())
              .put("failedAt", ExecutionTime.encode(failed.failedAt()))
              .put("retryCount", failed.retryCount())
              .put("maxRetries", failed.maxRetries())
              .set("error", error(failed.error()))
              .put("nextRetryAt", ExecutionTime.encode(failed.nextRetryAt()));
      case TaskDeadLetter dead ->
          tree.put("taskId", dead.id())
              .set("originalEvent", dead.originalEvent())
              .put("retryCount", dead.retryCount())
              .put("maxRetries", dead.maxRetries())
              .set("finalError", error(dead.finalError()))
              .put("deadLetteredAt", ExecutionTime.encode(dead.deadLetteredAt()));
      case Unknown _ -> tree;
    };
  }

  private static ObjectNode error(ExecutionError error) {
    var tree = Json.object().put("code", error.code()).put("message", error.message());
    if (error.stack() != null) tree.put("stack", error.stack());
    if (error.retryable() != null) tree.put("retryable", error.retryable());
    return tree;
  }
}
