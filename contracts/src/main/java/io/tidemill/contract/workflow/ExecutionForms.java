package io.tidemill.contract.workflow;

import io.tidemill.contract.Decoded;
import io.tidemill.contract.workflow.ExecutionEvent.TaskCreated;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowCreated;
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

  private ExecutionForms() {}

  /// A wish to begin again.
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
  public record StatusReport(@Nullable ExecutionStatus status, Map<String, String> fields) {}

  /// The body of `POST /api/workflows`.
  public static Decoded<WorkflowCreated> workflow(byte[] body, Instant now) {
    return decode(body, form -> workflow(form, now));
  }

  private static WorkflowCreated workflow(ExecutionFields form, Instant now) {
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

  private static Priority priority(ExecutionFields form) {
    return form.optionalText("priority")
        .flatMap(Priority::of)
        .orElseThrow(() -> form.wrong("priority", "be one of " + Priority.NAMES));
  }

  /// The body of `POST /api/tasks`.
  ///
  /// @param types those that somebody can run
  public static Decoded<TaskCreated> task(byte[] body, Set<String> types, Instant now) {
    return decode(
        body,
        form -> {
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

  private static @Nullable Integer maxRetries(ExecutionFields form) {
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
              case WORKFLOW ->
                  new Again(
                      form.optionalObject("input").orElse(null),
                      form.has("fromStep") ? form.count("fromStep") : null,
                      null,
                      null);
              case TASK ->
                  new Again(null, null, form.optionalObject("data").orElse(null), maxRetries(form));
            });
  }

  /// The body of `…/cancel`, which may be empty or have a `reason`.
  public static Decoded<String> reason(byte[] body) {
    if (body.length == 0) return new Decoded.Message<>("");
    return decode(
        body,
        form -> {
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

  private static StatusReport report(ExecutionKind kind, ExecutionFields form) {
    var fields = new LinkedHashMap<String, String>();
    for (var time : List.of("startedAt", "completedAt")) put(fields, form, time, form::time);
    put(fields, form, "duration", form::millis);
    if (form.has("error")) fields.put("error", Json.text(error(form)));
    switch (kind) {
      case WORKFLOW -> {
        put(fields, form, "currentStep", form::text);
        put(fields, form, "currentStepIndex", form::count);
        put(fields, form, "stepsCompleted", form::count);
        put(fields, form, "summary", form::any);
      }
      case TASK -> {
        put(fields, form, "retryCount", form::count);
        put(fields, form, "nextRetryAt", form::time);
        put(fields, form, "result", form::any);
      }
    }
    return new StatusReport(form.has("status") ? status(kind, form) : null, fields);
  }

  private static void put(
      Map<String, String> fields, ExecutionFields form, String name, Function<String, ?> read) {
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

  // Some report a text only (the contract has no word on it).
  private static ObjectNode error(ExecutionFields form) {
    return form.optionalText("error")
        .map(text -> Json.object().put("code", "FAILED").put("message", text))
        .orElseGet(() -> {
          form.error("error");
          return form.object("error");
        });
  }

  private static ExecutionStatus status(ExecutionKind kind, ExecutionFields form) {
    var known = ExecutionStatus.of(kind);
    return form.optionalText("status")
        .flatMap(ExecutionStatus::of)
        .filter(known::contains)
        .orElseThrow(() -> form.wrong("status", "be one of " + names(known)));
  }

  private static String names(List<ExecutionStatus> all) {
    return all.stream().map(ExecutionStatus::wire).collect(Collectors.joining(", "));
  }

  private static <T> Decoded<T> decode(byte[] body, Function<ExecutionFields, T> shape) {
    try {
      return new Decoded.Message<>(
          shape.apply(ExecutionFields.of(Json.parse(body), "the body").shallow()));
    } catch (JacksonException notJson) {
      return new Decoded.Unreadable<>("the body is " + Json.fault(notJson));
    } catch (IllegalArgumentException notOurs) {
      return new Decoded.Malformed<>(String.valueOf(notOurs.getMessage()));
    }
  }
}
