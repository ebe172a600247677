package io.tidemill.gateway.workflow;

import io.tidemill.contract.Decoded;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionEvent.TaskCreated;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowCreated;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionRecords;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.contract.workflow.WorkflowFields;
import io.tidemill.gateway.EventStream;
import io.tidemill.gateway.file.ResultFiles;
import io.tidemill.http.Problems;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.json.Json;
import io.tidemill.redis.StoreRetry;
import io.tidemill.workflow.ExecutionStart;
import io.tidemill.workflow.ExecutionStarter;
import io.tidemill.workflow.ExecutionStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The answers of the gateway that contract C2 comes from, an Express program: 201 with the whole
/// record, and errors as `{"error":…}`.
final class OriginalExecutionRoutes extends ExecutionRoutes {
  /// The status that it documents for a new task; ours is pending.
  private static final String QUEUED = "queued";

  // Of a list's parameters it reads the leading digits.
  private static final Pattern NUMBER = Pattern.compile("\\s*(\\d{1,9}).*");

  private final ExecutionKind kind;
  private final ExecutionStore store;
  private final OriginalForm form;

  /// @param taskTypes those that a processor can run
  OriginalExecutionRoutes(
      Set<String> taskTypes,
      ExecutionStarter starter,
      ExecutionStore store,
      EventStream events,
      ResultFiles files,
      InstantSource clock) {
    super(taskTypes, starter, store, events, files, clock);
    this.kind = store.kind();
    this.store = store;
    this.form = new OriginalForm(kind, taskTypes);
  }

  @Override
  Response submit(byte[] body, Instant now, Function<ExecutionEvent, ExecutionStart> start) {
    JsonNode tree;
    try {
      tree = Json.parse(body);
    } catch (JacksonException notJson) {
      return unreadable("the body is " + Json.fault(notJson));
    }
    var faults = form.faults(tree);
    if (!faults.isEmpty()) return invalid(faults);
    return switch (decode(form.known(tree), now)) {
      case Decoded.Unreadable(var why) -> unreadable(why);
      case Decoded.Malformed(var why) -> malformed(why);
      case Decoded.Message(ExecutionEvent created) -> started(created, start.apply(created));
    };
  }

  private Response started(ExecutionEvent created, ExecutionStart start) {
    return switch (start) {
      case ExecutionStart.Accepted(var id) -> created(id, record(created));
      case ExecutionStart.Repeated(var id) -> created(id, stored(id).put("idempotent", true));
      case ExecutionStart.NotPublished unpublished -> notPublished(unpublished.retryAfter());
      case ExecutionStart refused -> started(refused);
    };
  }

  private Response created(String id, ObjectNode record) {
    return Response.json(201, record).withHeader("Location", path(id));
  }

  // As it was when it was made: a processor may be at work on it already.
  private ObjectNode record(ExecutionEvent event) {
    return switch (event) {
      case WorkflowCreated created -> {
        var fields = ExecutionRecords.fields(created);
        fields.put(WorkflowFields.STATUS, ExecutionStatus.PENDING.wire());
        yield shown(ExecutionRecords.workflow(fields));
      }
      case TaskCreated created -> {
        var fields = ExecutionRecords.fields(created);
        fields.put(WorkflowFields.STATUS, QUEUED);
        yield shown(ExecutionRecords.task(fields));
      }
      default -> throw new IllegalArgumentException("not an event that begins: " + event);
    };
  }

  private ObjectNode stored(String id) {
    return StoreRetry.answer(() -> store.find(id))
        .map(record -> shown(tree(record)))
        .orElseGet(() -> Json.object().put(kind.idField(), id));
  }

  private ObjectNode tree(Map<String, String> record) {
    return switch (kind) {
      case WORKFLOW -> ExecutionRecords.workflow(record);
      case TASK -> ExecutionRecords.task(record);
    };
  }

  private Response notPublished(Duration retryAfter) {
    var answer = Json.object().put("error", "Failed to create " + kind.wire());
    answer.put("message", "the broker did not take it; try again later");
    var seconds = Long.toString(Math.max(1, retryAfter.plusMillis(999).toSeconds()));
    return Response.json(503, answer).withHeader("Retry-After", seconds);
  }

  @Override
  Response unreadable(String why) {
    return invalid(List.of(new OriginalForm.Fault("body", why)));
  }

  @Override
  Response malformed(String why) {
    return invalid(List.of(new OriginalForm.Fault(Problems.field(why).orElse("body"), why)));
  }

  private static Response invalid(List<OriginalForm.Fault> faults) {
    var answer = Json.object().put("error", "Validation failed");
    var details = answer.putArray("details");
    for (var fault : faults) {
      details.addObject().put("field", fault.field()).put("message", fault.message());
    }
    return Response.json(400, answer);
  }

  @Override
  Response unknown(String id) {
    var what = kind == ExecutionKind.WORKFLOW ? "Workflow" : "Task";
    return Response.json(
        404, Json.object().put("error", what + " not found").put(kind.idField(), id));
  }

  @Override
  ObjectNode shown(ObjectNode record) {
    var index = WorkflowFields.CURRENT_STEP_INDEX;
    if (kind == ExecutionKind.WORKFLOW && record.path(index).isNull()) record.put(index, 0);
    return record;
  }

  @Override
  Filter filter(Request request) {
    var status = given(request, "status");
    var known = ExecutionStatus.of(kind).stream().filter(one -> one.wire().equals(status));
    var wanted = known.findFirst().orElse(null);
    var group = given(request, groupName());
    var isUnknown =
        (status != null && wanted == null) || (group != null && !groups().contains(group));
    var limit = number(request, "limit");
    return new Filter(
        wanted,
        group,
        limit == 0 ? DEFAULT_LIMIT : Math.min(limit, MOST),
        number(request, "offset"),
        isUnknown);
  }

  private static @Nullable String given(Request request, String name) {
    return request.query(name).filter(text -> !text.isEmpty()).orElse(null);
  }

  private static int number(Request request, String name) {
    var digits = NUMBER.matcher(request.query(name).orElse(""));
    return digits.matches() ? Integer.parseInt(digits.group(1)) : 0;
  }

  @Override
  Response reported(String id, ExecutionStatus status) {
    return Response.ok(stored(id));
  }
}
