package io.tidemill.gateway.deadletter;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.deadletter.ByteText;
import io.tidemill.deadletter.DeadLetterFilter;
import io.tidemill.deadletter.DeathCause;
import io.tidemill.deadletter.InvalidCursor;
import io.tidemill.deadletter.RedriveResult;
import io.tidemill.deadletter.redrive.CauseGroup;
import io.tidemill.deadletter.redrive.DeadLetterCatalog;
import io.tidemill.deadletter.redrive.DeadLetterSearch;
import io.tidemill.deadletter.source.JobDeadLetters;
import io.tidemill.http.Parameters;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.json.Json;
import io.tidemill.schema.SchemaViolation;
import io.tidemill.service.Unavailable;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// What could not be processed, and how it is sent back: `/api/dead…`.
public final class DeadLetterRoutes implements Routes {
  private static final int LIMIT = 50;
  private static final int LIMIT_MOST = 1_000;
  private static final int LONGEST = 1_000;
  // A text in JSON may be six times as long as it is.
  private static final long LARGEST_BODY = 6L * ByteText.LARGEST + 1024 * 1024;
  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

  private final DeadLetterCatalog catalog;

  public DeadLetterRoutes(DeadLetterCatalog catalog) {
    this.catalog = catalog;
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.get("/api/dead", this::list),
        Route.get("/api/dead/{id}", this::show),
        Route.post("/api/dead/{id}/redrive", this::redrive).withMaxBody(LARGEST_BODY),
        Route.post("/api/dead/{id}/check", this::check)
            .withMaxBody(LARGEST_BODY)
            .viewer(), // it changes nothing
        Route.get("/api/dead/sources", this::sources),
        Route.get("/api/dead/causes", this::causes),
        Route.post("/api/dead/{id}/discard", this::discard));
  }

  /// `GET /api/dead/sources`
  public Response sources(Request request) {
    var answer = Json.object();
    var list = answer.putArray("sources");
    for (var each : catalog.counted()) {
      list.addObject()
          .put("name", each.source())
          .put("carrier", each.carrier())
          .put("total", each.total())
          .put("waiting", each.waiting())
          .put("status", each.trouble() == null ? "up" : "down")
          .put("detail", each.trouble() == null ? "" : each.trouble());
    }
    return Response.ok(answer);
  }

  /// `GET /api/dead?source=&q=&cause=&since=&until=&state=&limit=&before=`
  public Response list(Request request) {
    var parameters = new Parameters(request);
    var limit = parameters.number("limit", LIMIT, 1, LIMIT_MOST);
    var before = parameters.text("before", LONGEST);
    var filter = DeadLetterForms.filter(parameters);
    var source = parameters.text("source", LONGEST);
    var name = source.isEmpty() ? JobDeadLetters.NAME : source;
    var isSearch = !filter.isNone() || name.equals(DeadLetterCatalog.ALL);
    try {
      var cursor = before.isEmpty() ? null : before;
      var answer = isSearch ? found(name, filter, limit, cursor) : page(name, limit, cursor);
      if (!isSearch && source.isEmpty()) putOthers(answer);
      return Response.ok(answer);
    } catch (InvalidCursor notOurs) {
      throw new Parameters.Wrong("before", "the next of another page");
    }
  }

  private ObjectNode page(String name, int limit, @Nullable String before) {
    var source = catalog.source(name).orElseThrow(() -> DeadLetterForms.unknownSource(catalog));
    var page = DeadLetterSearch.list(source, limit, before);
    var answer = Json.object();
    answer.putArray("dead").addAll(page.dead());
    answer.put("total", page.total());
    if (page.next() != null) answer.put("next", page.next());
    return answer;
  }

  private ObjectNode found(
      String name, DeadLetterFilter filter, int limit, @Nullable String before) {
    var seen = catalog.seen(DeadLetterForms.source(catalog, name));
    var found = DeadLetterSearch.find(seen, filter, limit, before);
    var answer = Json.object();
    var list = answer.putArray("dead");
    found.deadLetters().forEach(letter -> list.add(letter.row()));
    answer.put("total", found.total());
    putSeen(answer, seen);
    if (found.next() != null) answer.put("next", found.next());
    return answer;
  }

  // A source asked for by name must answer; among many it is named as one that did not.
  private static void putSeen(ObjectNode answer, List<DeadLetterCatalog.Seen> seen) {
    answer.put("seen", seen.stream().mapToInt(each -> each.deadLetters().size()).sum());
    var silent = seen.stream().filter(each -> each.trouble() != null).toList();
    if (silent.isEmpty()) return;
    if (seen.size() == 1) {
      throw new Unavailable(String.valueOf(silent.getFirst().trouble()), RETRY_AFTER);
    }
    var down = answer.putArray("down");
    silent.forEach(each -> down.add(each.source()));
  }

  /// `GET /api/dead/causes?source=&q=&cause=&since=&until=&state=`
  public Response causes(Request request) {
    var parameters = new Parameters(request);
    var source = parameters.text("source", LONGEST);
    var filter = DeadLetterForms.filter(parameters);
    var limit = parameters.number("limit", LIMIT_MOST, 1, LIMIT_MOST);
    var name = source.isEmpty() ? DeadLetterCatalog.ALL : source;
    var seen = catalog.seen(DeadLetterForms.source(catalog, name));
    var answer = Json.object();
    var list = answer.putArray("causes");
    CauseGroup.of(DeadLetterCatalog.matching(seen, filter)).stream()
        .limit(limit)
        .forEach(group -> list.add(group.encode()));
    putSeen(answer, seen);
    answer.put("total", seen.stream().mapToLong(DeadLetterCatalog.Seen::total).sum());
    return Response.ok(answer);
  }

  // Who names no source would else take no dead jobs for nothing dead. What is not known of all is
  // not told of some.
  private void putOthers(ObjectNode answer) {
    var counted = catalog.counted();
    if (counted.stream().anyMatch(each -> each.trouble() != null)) return;
    var others = answer.putObject("others");
    for (var each : counted) {
      if (each.waiting() > 0 && !each.source().equals(JobDeadLetters.NAME)) {
        others.put(each.source(), each.waiting());
      }
    }
  }

  /// `GET /api/dead/{id}`
  public Response show(Request request) {
    return catalog
        .find(request.pathParam("id"))
        .<Response>map(row -> Response.ok(withCause(row)))
        .orElseGet(DeadLetterRoutes::unknown);
  }

  private static ObjectNode withCause(ObjectNode row) {
    var cause =
        DeathCause.of(
            row.path("source").asString(""),
            row.path("reason").asString(""),
            row.path("message").asString(""));
    return row.put("cause", cause.id());
  }

  /// `POST /api/dead/{id}/check`
  Response check(Request request) {
    var edit = DeadLetterForms.edit(request.body());
    return catalog
        .check(request.pathParam("id"), edit)
        .<Response>map(violations -> {
          var answer = Json.object().put("valid", violations.isEmpty());
          answer.set("violations", SchemaViolation.encode(violations));
          return Response.ok(answer);
        })
        .orElseGet(DeadLetterRoutes::unknown);
  }

  /// `POST /api/dead/{id}/redrive?again=`
  public Response redrive(Request request) {
    var again = new Parameters(request).flag("again");
    var edit = DeadLetterForms.edit(request.body());
    return catalog
        .redrive(request.pathParam("id"), edit, again)
        .map(DeadLetterRoutes::answer)
        .orElseGet(DeadLetterRoutes::unknown);
  }

  private static Response answer(RedriveResult result) {
    return switch (result) {
      case RedriveResult.SentToTopic(var id, var topic, var partition, var offset) ->
          Response.accepted(
              Json.object()
                  .put("redriven", id)
                  .put("topic", topic)
                  .put("partition", partition)
                  .put("offset", offset));
      case RedriveResult.SentToQueue(var id, var queue) ->
          Response.accepted(Json.object().put("redriven", id).put("queue", queue));
      case RedriveResult.JobCreated(var id, var jobId) ->
          created("/v1/jobs/", jobId, Json.object().put("job_id", jobId).put("redriven", id));
      case RedriveResult.TaskRestarted(var id) ->
          created(
              "/api/tasks/",
              URLEncoder.encode(id, UTF_8).replace("+", "%20"),
              Json.object().put("taskId", id).put("status", ExecutionStatus.PENDING.wire()));
      case RedriveResult.CrawlStarted(var id, var document) ->
          created("/api/crawls/", id, document);
      case RedriveResult.Refusal refusal -> refused(refusal);
    };
  }

  private static Response created(String path, String id, ObjectNode tree) {
    return Response.accepted(tree).withHeader("Location", path + id);
  }

  private static Response refused(RedriveResult.Refusal refusal) {
    var answer = Response.problem(DeadLetterProblems.of(refusal));
    return DeadLetterProblems.retryAfter(refusal)
        .map(after -> answer.withHeader("Retry-After", String.valueOf(after.toSeconds())))
        .orElse(answer);
  }

  /// `POST /api/dead/{id}/discard`
  public Response discard(Request request) {
    var id = request.pathParam("id");
    return catalog.discard(id) ? Response.ok(Json.object().put("discarded", id)) : unknown();
  }

  private static Response unknown() {
    return Response.problem(404, "there is no such dead letter");
  }
}
