package io.tidemill.gateway.workflow;

import io.tidemill.contract.Decoded;
import io.tidemill.contract.workflow.ExecutionForms;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.contract.workflow.ExecutionRecords;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.contract.workflow.WorkflowFields;
import io.tidemill.gateway.EventStream;
import io.tidemill.gateway.file.ResultFiles;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Workflows or tasks over HTTP (C2.4): `/api/workflows…`, `/api/tasks…`.
public final class ExecutionRoutes implements Routes {
  private final ExecutionKind kind;
  private final StandardExecutionAnswers standard;
  private final ExecutionAnswers answers;
  private final ExecutionStarter starter;
  private final ExecutionCanceler canceler;
  private final ExecutionStore store;
  private final EventStream events;
  private final ResultFiles files;
  private final InstantSource clock;

  ExecutionRoutes(
      StandardExecutionAnswers standard,
      ExecutionAnswers answers,
      ExecutionStarter starter,
      ExecutionStore store,
      EventStream events,
      ResultFiles files,
      InstantSource clock) {
    this.kind = store.kind();
    this.standard = standard;
    this.answers = answers;
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
    return submit(request.body(), request, answers);
  }

  /// The same with a form from elsewhere than the body.
  public Response submit(byte[] form, Request request) {
    return submit(form, request, standard);
  }

  private Response submit(byte[] form, Request request, ExecutionAnswers answers) {
    var key = RequestHeaders.idempotencyKey(request).orElse(null);
    var correlation = RequestHeaders.correlationId(request).orElse(null);
    return answers.submit(form, now(), created -> starter.start(created, key, correlation));
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  /// `GET …?status=&priority=&limit=&offset=`, newest first
  Response list(Request request) {
    var wanted = answers.filter(request);
    var page = wanted.isEmpty() ? ExecutionStore.Page.EMPTY : page(wanted);
    var answer = Json.object();
    var list = answer.putArray(kind.topic());
    page.records()
        .forEach(record -> list.add(answers.shown(ExecutionRecords.listed(kind, record))));
    answer.put("total", page.total());
    return Response.ok(answer.put("limit", wanted.limit()).put("offset", wanted.offset()));
  }

  private ExecutionStore.Page page(ExecutionAnswers.Filter wanted) {
    return StoreRetry.answer(
        () -> store.list(wanted.status(), wanted.group(), wanted.limit(), wanted.offset()));
  }

  /// `GET …/{id}`
  Response show(Request request) {
    return find(request)
        .<Response>map(record ->
            Response.ok(answers.shown(files.show(kind, request.pathParam("id"), show(record)))))
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
      case Decoded.Unreadable(var why) -> answers.unreadable(why);
      case Decoded.Malformed(var why) -> answers.malformed(why);
      case Decoded.Message(var reason) -> cancel(request.pathParam("id"), reason);
    };
  }

  private Response cancel(String id, String reason) {
    return switch (canceler.cancel(id, reason)) {
      case Cancellation.Canceled(var was) -> canceled(id, was);
      case Cancellation.AlreadyEnded(var status) -> ended(status);
      case Cancellation.Unknown() -> answers.unknown(id);
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
      case Decoded.Unreadable(var why) -> answers.unreadable(why);
      case Decoded.Malformed(var why) -> answers.malformed(why);
      case Decoded.Message(var again) -> retried(request.pathParam("id"), again);
    };
  }

  private Response retried(String id, ExecutionForms.Again again) {
    return switch (starter.retry(id, again)) {
      case ExecutionStart.Accepted _ -> standard.accepted(id);
      case ExecutionStart.InputTooLarge large -> Problems.tooLarge(large.why());
      case ExecutionStart.EventTooLarge large -> Problems.tooLarge(large.why());
      case ExecutionRetry.Unknown() -> answers.unknown(id);
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
      case Decoded.Unreadable(var why) -> answers.unreadable(why);
      case Decoded.Malformed(var why) -> answers.malformed(why);
      case Decoded.Message(var report) ->
          id(request)
              .flatMap(id -> StoreRetry.answer(() -> store.load(id)))
              .map(record ->
                  fault(record, report.fields())
                      .map(answers::malformed)
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
      case GONE -> answers.unknown(id);
      case ENDED ->
          answer.status().equals(status.wire())
              ? answers.reported(id, status)
              : ended(answer.status());
      case OURS -> Response.problem(409, "a processor of ours is at work on it, or will be");
      case BEHIND ->
          Response.problem(
              Problem.of(409, "it is further than that: reports go forward only")
                  .with("status_now", answer.status()));
      case SAVED, SEEN -> answers.reported(id, status);
    };
  }

  private Response unknown(Request request) {
    return answers.unknown(request.pathParam("id"));
  }
}
