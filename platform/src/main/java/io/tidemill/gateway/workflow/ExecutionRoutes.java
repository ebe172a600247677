package io.tidemill.gateway.workflow;

import io.tidemill.contract.Decoded;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionForms;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.contract.workflow.ExecutionPaths;
import io.tidemill.contract.workflow.ExecutionRecords;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.contract.workflow.Priority;
import io.tidemill.contract.workflow.WorkflowFields;
import io.tidemill.gateway.EventStream;
import io.tidemill.gateway.file.ResultFiles;
import io.tidemill.http.Parameters;
import io.tidemill.http.Problem;
import io.tidemill.http.Problems;
import io.tidemill.http.Request;
import io.tidemill.http.RequestHeaders;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.json.Json;
import io.tidemill.redis.StoreRetry;
import io.tidemill.service.Unavailable;
import io.tidemill.work.Cancellation;
import io.tidemill.workflow.ExecutionCanceler;
import io.tidemill.workflow.ExecutionRecord;
import io.tidemill.workflow.ExecutionRetry;
import io.tidemill.workflow.ExecutionStart;
import io.tidemill.workflow.ExecutionStarter;
import io.tidemill.workflow.ExecutionStore;
import io.tidemill.workflow.Workflow;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Workflows or tasks over HTTP (C2.4): `/api/workflows…`, `/api/tasks…`. What the contract leaves
/// open can be answered in another way.
public sealed class ExecutionRoutes implements Routes permits OriginalExecutionRoutes {
  /// The longest list.
  static final int MOST = 1_000;

  static final int DEFAULT_LIMIT = 50;

  /// What a list is to have.
  ///
  /// @param status null for all
  /// @param group a priority or a type; null for all
  /// @param isEmpty whether nothing can match
  record Filter(
      @Nullable ExecutionStatus status,
      @Nullable String group,
      int limit,
      int offset,
      boolean isEmpty) {}

  private final ExecutionKind kind;
  private final Set<String> taskTypes;
  private final ExecutionStarter starter;
  private final ExecutionCanceler canceler;
  private final ExecutionStore store;
  private final EventStream events;
  private final ResultFiles files;
  private final InstantSource clock;

  /// @param taskTypes those that a processor can run
  ExecutionRoutes(
      Set<String> taskTypes,
      ExecutionStarter starter,
      ExecutionStore store,
      EventStream events,
      ResultFiles files,
      InstantSource clock) {
    this.kind = store.kind();
    this.taskTypes = Set.copyOf(taskTypes);
    this.starter = starter;
    this.canceler = new ExecutionCanceler(store, clock);
    this.store = store;
    this.events = events;
    this.files = files;
    this.clock = clock;
  }

  @Override
  public List<Route> routes() {
    var all = "/api/" + kind.topic();
    return List.of(
        Route.post(all, this::submit),
        Route.get(all, this::list),
        Route.get(all + "/{id}", this::show),
        Route.get(all + "/{id}/events", this::follow),
        Route.post(all + "/{id}/cancel", this::cancel),
        Route.delete(all + "/{id}", this::cancel),
        Route.post(all + "/{id}/retry", this::retry),
        Route.patch("/internal/" + kind.topic() + "/{id}", this::report).unaudited());
  }

  /// `POST /api/workflows`, `POST /api/tasks`
  Response submit(Request request) {
    return submit(request.body(), now(), starting(request));
  }

  /// The same with a form from elsewhere than the body; the answer is always ours.
  public Response submit(byte[] form, Request request) {
    return submitOurs(form, now(), starting(request));
  }

  private Function<ExecutionEvent, ExecutionStart> starting(Request request) {
    var key = RequestHeaders.idempotencyKey(request).orElse(null);
    var correlation = RequestHeaders.correlationId(request).orElse(null);
    return created -> starter.start(created, key, correlation);
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  /// `GET …?status=&priority=&limit=&offset=`, newest first
  Response list(Request request) {
    var wanted = filter(request);
    var page = wanted.isEmpty() ? ExecutionStore.Page.EMPTY : page(wanted);
    var answer = Json.object();
    var list = answer.putArray(kind.topic());
    page.records().forEach(record -> list.add(shown(ExecutionRecords.listed(kind, record))));
    answer.put("total", page.total());
    return Response.ok(answer.put("limit", wanted.limit()).put("offset", wanted.offset()));
  }

  private ExecutionStore.Page page(Filter wanted) {
    return StoreRetry.answer(
        () -> store.list(wanted.status(), wanted.group(), wanted.limit(), wanted.offset()));
  }

  /// `GET …/{id}`
  Response show(Request request) {
    return find(request)
        .<Response>map(
            record -> Response.ok(shown(files.show(kind, request.pathParam("id"), show(record)))))
        .orElseGet(() -> unknown(request));
  }

  private ObjectNode show(Map<String, String> record) {
    return switch (kind) {
      case WORKFLOW -> ExecutionRecords.workflow(record);
      case TASK -> ExecutionRecords.task(record);
    };
  }

  private Optional<Map<String, String>> find(Request request) {
    return id(request).flatMap(id -> StoreRetry.answer(() -> store.find(id)));
  }

  private static Optional<String> id(Request request) {
    return Optional.of(request.pathParam("id")).filter(ExecutionNames::isId);
  }

  /// `GET …/{id}/events`
  Response follow(Request request) {
    var last = RequestHeaders.lastEventId(request);
    return id(request)
        .filter(id -> StoreRetry.answer(() -> store.exists(id)))
        .map(id -> Response.events(events.follow(id, last.orElse(null))))
        .orElseGet(() -> unknown(request));
  }

  /// `POST …/{id}/cancel`, `DELETE …/{id}`
  Response cancel(Request request) {
    return switch (ExecutionForms.reason(request.body())) {
      case Decoded.Unreadable(var why) -> unreadable(why);
      case Decoded.Malformed(var why) -> malformed(why);
      case Decoded.Message(var reason) -> cancel(request.pathParam("id"), reason);
    };
  }

  private Response cancel(String id, String reason) {
    return switch (canceler.cancel(id, reason)) {
      case Cancellation.Canceled(var was) -> canceled(id, was);
      case Cancellation.AlreadyEnded(var status) -> ended(status);
      case Cancellation.Unknown() -> unknown(id);
    };
  }

  private Response canceled(String id, @Nullable String was) {
    var answer = Json.object().put(kind.idField(), id);
    answer.put("status", ExecutionStatus.CANCELED.wire());
    if (was != null) answer.put("was", was);
    return Response.ok(answer);
  }

  private Response ended(String status) {
    return Response.problem(
        Problem.of(409, "the %s has already ended as %s".formatted(kind.wire(), status))
            .with("status_now", status));
  }

  /// `POST …/{id}/retry`
  Response retry(Request request) {
    return switch (ExecutionForms.again(kind, request.body())) {
      case Decoded.Unreadable(var why) -> unreadable(why);
      case Decoded.Malformed(var why) -> malformed(why);
      case Decoded.Message(var again) -> retried(request.pathParam("id"), again);
    };
  }

  private Response retried(String id, ExecutionForms.Again again) {
    return switch (starter.retry(id, again)) {
      case ExecutionStart.Accepted _ -> accepted(id);
      case ExecutionStart.InputTooLarge large -> Problems.tooLarge(large.why());
      case ExecutionStart.EventTooLarge large -> Problems.tooLarge(large.why());
      case ExecutionRetry.Unknown() -> unknown(id);
      case ExecutionRetry.NotEnded ended ->
          Response.problem(Problem.of(409, ended.why(kind)).with("status_now", ended.status()));
      case ExecutionRetry.Impossible(var why) -> Problems.malformed(why);
      case ExecutionRetry.Unsettled unsettled ->
          Problems.retryLater(Problem.of(409, unsettled.why()), unsettled.retryAfter());
      case ExecutionRetry.Postponed postponed ->
          throw new Unavailable(postponed.why(kind), postponed.retryAfter(), postponed.cause());
    };
  }

  /// `PATCH /internal/…/{id}`
  Response report(Request request) {
    return switch (ExecutionForms.report(kind, request.body())) {
      case Decoded.Unreadable(var why) -> unreadable(why);
      case Decoded.Malformed(var why) -> malformed(why);
      case Decoded.Message(var report) ->
          id(request)
              .flatMap(id -> StoreRetry.answer(() -> store.load(id)))
              .map(record ->
                  fault(record, report.fields())
                      .map(this::malformed)
                      .orElseGet(() -> report(record, report)))
              .orElseGet(() -> unknown(request));
    };
  }

  // What is wrong with a report, beginning with the field's name.
  private static Optional<String> fault(ExecutionRecord record, Map<String, String> report) {
    if (!(record instanceof Workflow workflow)) return Optional.empty();
    var last = workflow.steps().size() - 1;
    return ExecutionRecords.number(report, WorkflowFields.CURRENT_STEP_INDEX) <= last
        ? Optional.empty()
        : Optional.of("currentStepIndex must be a whole number from 0 to " + last);
  }

  private Response report(ExecutionRecord record, ExecutionForms.StatusReport report) {
    var id = record.id();
    var status = report.status() == null ? record.status() : report.status();
    var data = Json.object().put(kind.idField(), id).put("status", status.wire());
    report.fields().forEach((name, value) -> data.set(name, ExecutionRecords.value(value)));
    report.emptied().forEach(data::putNull);
    var event = new ExecutionStore.FollowerEvent(kind.eventType(status), Json.text(data));
    var change =
        new ExecutionStore.Report("", status, null, event, report.fields(), report.emptied());
    var answer = StoreRetry.answer(() -> store.report(id, change));
    return switch (answer.what()) {
      case GONE -> unknown(id);
      case ENDED ->
          answer.status().equals(status.wire()) ? reported(id, status) : ended(answer.status());
      case OURS -> Response.problem(409, "a processor of ours is at work on it, or will be");
      case BEHIND ->
          Response.problem(
              Problem.of(409, "it is further than that: reports go forward only")
                  .with("status_now", answer.status()));
      case SAVED, SEEN -> reported(id, status);
    };
  }

  private Response unknown(Request request) {
    return unknown(request.pathParam("id"));
  }

  /// The body of `POST /api/workflows` or `POST /api/tasks`, and what became of it.
  Response submit(byte[] form, Instant now, Function<ExecutionEvent, ExecutionStart> start) {
    return submitOurs(form, now, start);
  }

  private Response submitOurs(
      byte[] form, Instant now, Function<ExecutionEvent, ExecutionStart> start) {
    return switch (decode(form, now)) {
      case Decoded.Unreadable(var why) -> Problems.unreadable(why);
      case Decoded.Malformed(var why) -> Problems.malformedField(why);
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

  /// A body that is not JSON.
  Response unreadable(String why) {
    return Problems.unreadable(why);
  }

  /// A body that is JSON, but invalid; the reason may begin with the name of a field.
  Response malformed(String why) {
    return Problems.malformedField(why);
  }

  /// There is no such workflow or task.
  Response unknown(String id) {
    return Response.problem(404, "there is no such " + kind.wire());
  }

  /// One of a list, or all of one.
  ObjectNode shown(ObjectNode record) {
    return record;
  }

  Filter filter(Request request) {
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

  /// A report was taken in.
  Response reported(String id, ExecutionStatus status) {
    return Response.ok(Json.object().put(kind.idField(), id).put("status", status.wire()));
  }
}
