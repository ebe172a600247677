package io.tidemill.gateway.workflow;

import io.tidemill.contract.Decoded;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionForms;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionPaths;
import io.tidemill.contract.workflow.ExecutionRecords;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.contract.workflow.Priority;
import io.tidemill.http.Parameters;
import io.tidemill.http.Problems;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.json.Json;
import io.tidemill.service.Unavailable;
import io.tidemill.workflow.ExecutionStart;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/// Our own answers (C2.4).
///
/// @param taskTypes those that a processor can run
record StandardExecutionAnswers(ExecutionKind kind, Set<String> taskTypes)
    implements ExecutionAnswers {
  /// The longest list.
  static final int MOST = 1_000;

  static final int DEFAULT_LIMIT = 50;

  StandardExecutionAnswers {
    taskTypes = Set.copyOf(taskTypes);
  }

  @Override
  public Response submit(byte[] form, Instant now, Function<ExecutionEvent, ExecutionStart> start) {
    return switch (decode(form, now)) {
      case Decoded.Unreadable(var why) -> unreadable(why);
      case Decoded.Malformed(var why) -> malformed(why);
      case Decoded.Message(ExecutionEvent created) -> started(start.apply(created));
    };
  }

  /// The event that a submission becomes.
  Decoded<? extends ExecutionEvent> decode(byte[] form, Instant now) {
    return switch (kind) {
      case WORKFLOW -> ExecutionForms.workflow(form, now);
      case TASK -> ExecutionForms.task(form, taskTypes, now);
    };
  }

  Response started(ExecutionStart start) {
    return switch (start) {
      case ExecutionStart.Accepted(var id) -> accepted(id);
      case ExecutionStart.Repeated(var id) ->
          accepted(id, Json.object().put(kind.idField(), id).put("idempotent", true));
      case ExecutionStart.Conflict conflict -> Problems.conflict(conflict.why());
      case ExecutionStart.Busy() -> Problems.busy();
      case ExecutionStart.QueueFull(var waiting, var max, var retryAfter) ->
          Problems.queueFull(
              "too many " + kind.topic() + " wait; try again later", waiting, max, retryAfter);
      case ExecutionStart.InputTooLarge large -> Problems.tooLarge(large.why());
      case ExecutionStart.EventTooLarge large -> Problems.tooLarge(large.why());
      case ExecutionStart.NotPublished(var cause, var retryAfter) ->
          throw new Unavailable(
              "the " + kind.wire() + " could not be handed to the broker; try again later",
              retryAfter,
              cause);
    };
  }

  Response accepted(String id) {
    var answer = Json.object().put(kind.idField(), id);
    return accepted(id, answer.put("status", ExecutionStatus.PENDING.wire()));
  }

  private Response accepted(String id, ObjectNode answer) {
    return Response.accepted(answer).withHeader("Location", path(id));
  }

  String path(String id) {
    return ExecutionPaths.of(kind, id);
  }

  @Override
  public Response unreadable(String why) {
    return Problems.unreadable(why);
  }

  @Override
  public Response malformed(String why) {
    return Problems.malformedField(why);
  }

  @Override
  public Response unknown(String id) {
    return Response.problem(404, "there is no such " + kind.wire());
  }

  @Override
  public ObjectNode shown(ObjectNode record) {
    return record;
  }

  @Override
  public Filter filter(Request request) {
    var given = new Parameters(request);
    var statuses = ExecutionStatus.of(kind);
    var status = given.oneOf("status", statuses.stream().map(ExecutionStatus::wire).toList());
    var group = given.oneOf(groupName(), groups());
    var limit = given.number("limit", DEFAULT_LIMIT, 1, MOST);
    var offset = given.number("offset", 0, 0, Integer.MAX_VALUE - MOST);
    var wanted = status == null ? null : ExecutionStatus.of(status).orElseThrow();
    return new Filter(wanted, group, limit, offset, false);
  }

  /// What lists can be filtered by beside the status.
  String groupName() {
    return kind == ExecutionKind.WORKFLOW ? "priority" : "type";
  }

  List<String> groups() {
    return switch (kind) {
      case WORKFLOW -> Arrays.stream(Priority.values()).map(Priority::wire).toList();
      case TASK -> {
        var types = new ArrayList<>(new TreeSet<>(ExecutionRecords.TASK_TYPES));
        types.add("other");
        yield types;
      }
    };
  }

  @Override
  public Response reported(String id, ExecutionStatus status) {
    return Response.ok(Json.object().put(kind.idField(), id).put("status", status.wire()));
  }
}
