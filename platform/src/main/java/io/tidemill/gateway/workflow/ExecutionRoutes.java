package io.tidemill.gateway.workflow;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.contract.Decoded;
import io.tidemill.contract.workflow.ExecutionCodec;
import io.tidemill.contract.workflow.ExecutionError;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionForms;
import io.tidemill.contract.workflow.ExecutionMessage;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.contract.workflow.ExecutionRecords;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.gateway.EventStream;
import io.tidemill.http.Parameters;
import io.tidemill.http.Problem;
import io.tidemill.http.Request;
import io.tidemill.http.RequestHeaders;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.json.Json;
import io.tidemill.redis.StoreRetry;
import io.tidemill.workflow.CreatedEventPublisher;
import io.tidemill.workflow.ExecutionStore;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Workflows or tasks over HTTP (C2.4): `/api/workflows…`, `/api/tasks…`.
final class ExecutionRoutes implements Routes {
  private static final int MOST = 1_000;

  private final ExecutionShape shape;
  private final ExecutionSubmissions submissions;
  private final ExecutionStore store;
  private final EventStream events;
  private final InstantSource clock;

  ExecutionRoutes(
      ExecutionShape shape,
      ExecutionSubmissions submissions,
      ExecutionStore store,
      EventStream events,
      InstantSource clock) {
    this.shape = shape;
    this.submissions = submissions;
    this.store = store;
    this.events = events;
    this.clock = clock;
  }

  @Override
  public List<Route> routes() {
    var all = "/api/" + shape.plural();
    return List.of(
        Route.post(all, this::submit),
        Route.get(all, this::list),
        Route.get(all + "/{id}", this::show),
        Route.get(all + "/{id}/events", this::follow),
        Route.post(all + "/{id}/cancel", this::cancel),
        Route.delete(all + "/{id}", this::cancel),
        Route.post(all + "/{id}/retry", this::retry),
        Route.patch("/internal/" + shape.plural() + "/{id}", this::report).unaudited());
  }

  /// `POST /api/workflows`, `POST /api/tasks`
  Response submit(Request request) {
    return submit(request.body(), request);
  }

  /// The same with a form that somebody else filled in.
  Response submit(byte[] form, Request request) {
    var key = RequestHeaders.idempotencyKey(request);
    return switch (shape.decode(form, now())) {
      case Decoded.Unreadable(var why) -> Response.problem(400, why);
      case Decoded.Malformed(var why) -> malformed(why);
      case Decoded.Message(ExecutionEvent created) ->
          submissions.submit(created, request, key.orElse(null));
    };
  }

  // Every reason begins with the field's name.
  private static Response malformed(String why) {
    var field = why.substring(0, Math.max(0, why.indexOf(" must ")));
    var problem = Problem.of(422, why);
    return Response.problem(field.contains(" ") ? problem : problem.with("field", field));
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  /// `GET …?status=&priority=&limit=&offset=`, newest first
  Response list(Request request) {
    var given = new Parameters(request);
    var statuses = ExecutionStatus.of(shape.kind());
    var status = given.oneOf("status", statuses.stream().map(ExecutionStatus::wire).toList());
    var group = given.oneOf(shape.groupName(), shape.groups());
    var limit = given.number("limit", 50, 1, MOST);
    var offset = given.number("offset", 0, 0, Integer.MAX_VALUE - MOST);
    var wanted = status == null ? null : ExecutionStatus.of(status).orElseThrow();
    var page = StoreRetry.answer(() -> store.list(wanted, group, limit, offset));
    var answer = Json.object();
    var list = answer.putArray(shape.plural());
    page.records().forEach(record -> list.add(ExecutionRecords.listed(shape.kind(), record)));
    return Response.ok(answer.put("total", page.total()).put("limit", limit).put("offset", offset));
  }

  /// `GET …/{id}`
  Response show(Request request) {
    return find(request)
        .<Response>map(record -> Response.ok(shape.show(record)))
        .orElseGet(() -> unknown(shape));
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
        .orElseGet(() -> unknown(shape));
  }

  /// `POST …/{id}/cancel`, `DELETE …/{id}`
  Response cancel(Request request) {
    return switch (ExecutionForms.reason(request.body())) {
      case Decoded.Unreadable(var why) -> Response.problem(400, why);
      case Decoded.Malformed(var why) -> malformed(why);
      case Decoded.Message(var reason) ->
          find(request)
              .map(record -> cancel(request.pathParam("id"), record, reason))
              .orElseGet(() -> unknown(shape));
    };
  }

  private Response cancel(String id, Map<String, String> record, String reason) {
    var now = now();
    var error = new ExecutionError(ExecutionNames.CANCELED, reason.isEmpty() ? "canceled" : reason);
    var end = shape.failed(record, error, now);
    var message = ExecutionMessage.of(end, now, CreatedEventPublisher.metadata());
    var event = new String(ExecutionCodec.encode(message), UTF_8);
    var told = new ExecutionStore.Told(end.type(), ExecutionShape.told(end));
    var asked = new AtomicInteger();
    var answer =
        StoreRetry.answer(() -> {
          asked.incrementAndGet();
          return store.cancel(
              id, event, told, ExecutionShape.json(error), ExecutionShape.time(now));
        });
    // Asked twice because the first answer was lost: then this cancel is the one that is found.
    var ours = asked.get() > 1 && answer.status().equals(ExecutionStatus.CANCELED.wire());
    return switch (answer.what()) {
      case "gone" -> unknown(shape);
      case "ended" -> ours ? canceled(id, null) : ended(answer.status());
      default -> canceled(id, answer.status());
    };
  }

  private Response canceled(String id, @Nullable String was) {
    var answer = Json.object().put(shape.kind().idField(), id);
    answer.put("status", ExecutionStatus.CANCELED.wire());
    if (was != null) answer.put("was", was);
    return Response.ok(answer);
  }

  private Response ended(String status) {
    return Response.problem(
        Problem.of(409, "the %s has already ended as %s".formatted(shape.kind().wire(), status))
            .with("status_now", status));
  }

  /// `POST …/{id}/retry`
  Response retry(Request request) {
    return switch (ExecutionForms.again(shape.kind(), request.body())) {
      case Decoded.Unreadable(var why) -> Response.problem(400, why);
      case Decoded.Malformed(var why) -> malformed(why);
      case Decoded.Message(var again) ->
          id(request).map(id -> submissions.again(id, again)).orElseGet(() -> unknown(shape));
    };
  }

  /// `PATCH /internal/…/{id}`
  Response report(Request request) {
    return switch (ExecutionForms.report(shape.kind(), request.body())) {
      case Decoded.Unreadable(var why) -> Response.problem(400, why);
      case Decoded.Malformed(var why) -> malformed(why);
      case Decoded.Message(var report) ->
          find(request)
              .map(record ->
                  shape
                      .fault(record, report.fields())
                      .map(ExecutionRoutes::malformed)
                      .orElseGet(() -> report(request.pathParam("id"), record, report)))
              .orElseGet(() -> unknown(shape));
    };
  }

  private Response report(
      String id, Map<String, String> record, ExecutionForms.StatusReport report) {
    var known = ExecutionStatus.of(record.getOrDefault("status", "")).orElseThrow();
    var status = report.status() == null ? known : report.status();
    var data = Json.object().put(shape.kind().idField(), id).put("status", status.wire());
    report.fields().forEach((name, value) -> data.set(name, ExecutionRecords.value(value)));
    var told = new ExecutionStore.Told(shape.eventType(status), Json.text(data));
    var answer =
        StoreRetry.answer(() ->
            store.report(id, new ExecutionStore.Report("", status, null, told, report.fields())));
    return switch (answer.what()) {
      case "gone" -> unknown(shape);
      case "ended" ->
          answer.status().equals(status.wire()) ? reported(id, status) : ended(answer.status());
      case "ours" -> Response.problem(409, "a processor of ours is at work on it, or will be");
      case "behind" ->
          Response.problem(
              Problem.of(409, "it is further than that: reports go forward only")
                  .with("status_now", answer.status()));
      default -> reported(id, status);
    };
  }

  private Response reported(String id, ExecutionStatus status) {
    return Response.ok(Json.object().put(shape.kind().idField(), id).put("status", status.wire()));
  }

  static Response unknown(ExecutionShape shape) {
    return Response.problem(404, "there is no such " + shape.kind().wire());
  }
}
