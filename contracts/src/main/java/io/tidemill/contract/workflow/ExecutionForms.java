package io.tidemill.contract.workflow;

import io.tidemill.contract.Decoded;
import io.tidemill.contract.workflow.ExecutionEvent.TaskCreated;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowCreated;
import io.tidemill.json.FieldNames;
import io.tidemill.json.Json;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads what clients and processors send over HTTP (C2.4); every input has an answer.
public final class ExecutionForms {
  private static final int SHORTEST_NAME = 3;
  private static final int LONGEST_NAME = 100;
  private static final int MOST_STEPS = 50;
  private static final int MOST_RETRIES = 100;
  private static final int DEFAULT_RETRIES = 3;
  private static final int LONGEST_REASON = 1_000;

  private static final FieldNames WORKFLOW = FieldNames.of("name", "steps", "priority", "input");
  private static final FieldNames TASK = FieldNames.of("type", "data", "maxRetries");
  private static final FieldNames REASON = FieldNames.of("reason");
  private static final FieldNames WORKFLOW_AGAIN = FieldNames.of("input", "fromStep");
  private static final FieldNames TASK_AGAIN = FieldNames.of("data", "maxRetries");
  private static final FieldNames REPORT =
      FieldNames.of(
          WorkflowFields.STATUS,
          WorkflowFields.STARTED_AT,
          WorkflowFields.COMPLETED_AT,
          WorkflowFields.DURATION,
          WorkflowFields.ERROR);
  private static final FieldNames WORKFLOW_REPORT =
      REPORT.and(
          List.of(
              WorkflowFields.CURRENT_STEP,
              WorkflowFields.CURRENT_STEP_INDEX,
              WorkflowFields.STEPS_COMPLETED,
              WorkflowFields.SUMMARY));
  private static final FieldNames TASK_REPORT =
      REPORT.and(
          List.of(WorkflowFields.RETRY_COUNT, WorkflowFields.NEXT_RETRY_AT, WorkflowFields.RESULT));

  private ExecutionForms() {}

  /// A request to begin again.
  ///
  /// @param input instead of the workflow's own
  /// @param fromStep where to begin; null = with the step that failed
  /// @param data instead of the task's own
  /// @param maxRetries instead of the task's own
  public record Again(
      @Nullable ObjectNode input,
      @Nullable Integer fromStep,
      @Nullable ObjectNode data,
      @Nullable Integer maxRetries) {}

  /// What a processor reports.
  ///
  /// @param status null = as it is
  /// @param fields of the record
  /// @param emptied fields that it sets to null
  public record StatusReport(
      @Nullable ExecutionStatus status, Map<String, String> fields, List<String> emptied) {}

  /// The body of `POST /api/workflows`.
  public static Decoded<WorkflowCreated> workflow(byte[] body, Instant now) {
    return decode(body, form -> workflow(form, now));
  }

  private static WorkflowCreated workflow(ExecutionReader form, Instant now) {
    form.refuseMisspelled(WORKFLOW);
    var name = form.text("name");
    var length = name.codePointCount(0, name.length());
    if (length < SHORTEST_NAME || length > LONGEST_NAME) {
      throw form.wrong("name", "have 3 to 100 characters");
    }
    var steps = form.texts("steps");
    if (steps.size() > MOST_STEPS
        || steps.stream().anyMatch(step -> step.length() > LONGEST_NAME)) {
      throw form.wrong("steps", "be 1 to 50 names of at most 100 characters");
    }
    return new WorkflowCreated(
        ExecutionNames.newWorkflowId(),
        name,
        steps,
        form.has("priority") ? priority(form) : Priority.MEDIUM,
        now,
        form.optionalObject("input").orElse(null));
  }

  private static Priority priority(ExecutionReader form) {
    return form.optionalText("priority")
        .flatMap(Priority::of)
        .orElseThrow(() -> form.wrong("priority", "be one of " + Priority.NAMES));
  }

  /// The body of `POST /api/tasks`.
  ///
  /// @param types those that a processor can run
  public static Decoded<TaskCreated> task(byte[] body, Set<String> types, Instant now) {
    return decode(
        body,
        form -> {
          form.refuseMisspelled(TASK);
          var type = form.text("type");
          if (!types.contains(type)) {
            throw form.wrong("type", "be one of " + String.join(", ", new TreeSet<>(types)));
          }
          var retries = maxRetries(form);
          return new TaskCreated(
              ExecutionNames.newTaskId(),
              type,
              form.object("data"),
              0,
              retries == null ? DEFAULT_RETRIES : retries,
              now);
        });
  }

  private static @Nullable Integer maxRetries(ExecutionReader form) {
    if (!form.has("maxRetries")) return null;
    var retries = form.count("maxRetries");
    if (retries > MOST_RETRIES) throw form.wrong("maxRetries", "be a whole number from 0 to 100");
    return retries;
  }

  /// The body of `…/retry`, which may be empty.
  public static Decoded<Again> again(ExecutionKind kind, byte[] body) {
    if (body.length == 0) return new Decoded.Message<>(new Again(null, null, null, null));
    return decode(
        body,
        form ->
            switch (kind) {
              case WORKFLOW -> workflowAgain(form.requireKnown(WORKFLOW_AGAIN));
              case TASK -> taskAgain(form.requireKnown(TASK_AGAIN));
            });
  }

  private static Again workflowAgain(ExecutionReader form) {
    return new Again(
        form.optionalObject("input").orElse(null),
        form.has("fromStep") ? form.count("fromStep") : null,
        null,
        null);
  }

  private static Again taskAgain(ExecutionReader form) {
    return new Again(null, null, form.optionalObject("data").orElse(null), maxRetries(form));
  }

  /// The body of `…/cancel`, which may be empty or have a `reason`.
  public static Decoded<String> reason(byte[] body) {
    if (body.length == 0) return new Decoded.Message<>("");
    return decode(
        body,
        form -> {
          form.requireKnown(REASON);
          var reason = form.has("reason") ? form.text("reason") : "";
          if (reason.length() > LONGEST_REASON) {
            throw form.wrong("reason", "have at most 1000 characters");
          }
          return reason;
        });
  }

  /// The body of `PATCH /internal/…`.
  public static Decoded<StatusReport> report(ExecutionKind kind, byte[] body) {
    return decode(body, form -> report(kind, form));
  }

  private static StatusReport report(ExecutionKind kind, ExecutionReader form) {
    form.refuseMisspelled(kind == ExecutionKind.WORKFLOW ? WORKFLOW_REPORT : TASK_REPORT);
    var fields = new LinkedHashMap<String, String>();
    for (var time : List.of(WorkflowFields.STARTED_AT, WorkflowFields.COMPLETED_AT))
      put(fields, form, time, form::time);
    put(fields, form, WorkflowFields.DURATION, form::millis);
    if (form.has(WorkflowFields.ERROR)) fields.put(WorkflowFields.ERROR, Json.text(error(form)));
    switch (kind) {
      case WORKFLOW -> {
        put(fields, form, WorkflowFields.CURRENT_STEP, form::text);
        put(fields, form, WorkflowFields.CURRENT_STEP_INDEX, form::count);
        put(fields, form, WorkflowFields.STEPS_COMPLETED, form::count);
        put(fields, form, WorkflowFields.SUMMARY, form::any);
      }
      case TASK -> {
        put(fields, form, WorkflowFields.RETRY_COUNT, form::count);
        put(fields, form, WorkflowFields.NEXT_RETRY_AT, form::time);
        put(fields, form, WorkflowFields.RESULT, form::any);
      }
    }
    var status = form.has(WorkflowFields.STATUS) ? status(kind, form) : null;
    // A last report may say that no step is the current one; other members that are null say
    // nothing.
    var emptied = form.isNull(WorkflowFields.CURRENT_STEP) && kind == ExecutionKind.WORKFLOW;
    return new StatusReport(
        status, fields, emptied ? List.of(WorkflowFields.CURRENT_STEP) : List.of());
  }

  private static void put(
      Map<String, String> fields, ExecutionReader form, String name, Function<String, ?> read) {
    if (!form.has(name)) return;
    var value = read.apply(name);
    fields.put(
        name,
        switch (value) {
          case Instant time -> ExecutionTime.encode(time);
          case JsonNode tree -> Json.text(tree);
          default -> String.valueOf(value);
        });
  }

  // Some processors report a text only; the contract does not say.
  private static ObjectNode error(ExecutionReader form) {
    return form.optionalText("error")
        .map(text -> Json.object().put("code", "FAILED").put("message", text))
        .orElseGet(() -> {
          form.error("error");
          return form.object("error");
        });
  }

  private static ExecutionStatus status(ExecutionKind kind, ExecutionReader form) {
    var known = ExecutionStatus.of(kind);
    return form.optionalText("status")
        .flatMap(ExecutionStatus::of)
        .filter(known::contains)
        .orElseThrow(() -> form.wrong("status", "be one of " + names(known)));
  }

  private static String names(List<ExecutionStatus> all) {
    return all.stream().map(ExecutionStatus::wire).collect(Collectors.joining(", "));
  }

  private static <T> Decoded<T> decode(byte[] body, Function<ExecutionReader, T> shape) {
    try {
      return new Decoded.Message<>(
          shape.apply(ExecutionReader.of(Json.parse(body), "the body").shallow()));
    } catch (JacksonException notJson) {
      return new Decoded.Unreadable<>("the body is " + Json.fault(notJson));
    } catch (IllegalArgumentException notOurs) {
      return new Decoded.Malformed<>(String.valueOf(notOurs.getMessage()));
    }
  }
}
