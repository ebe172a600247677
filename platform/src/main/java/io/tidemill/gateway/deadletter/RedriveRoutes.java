package io.tidemill.gateway.deadletter;

import io.tidemill.deadletter.redrive.DeadLetterCatalog;
import io.tidemill.deadletter.redrive.Redrive;
import io.tidemill.deadletter.redrive.Redrive.State;
import io.tidemill.deadletter.redrive.RedriveSelection;
import io.tidemill.deadletter.redrive.RedriveStarter;
import io.tidemill.deadletter.redrive.RedriveStarter.Result;
import io.tidemill.deadletter.redrive.RedriveStore;
import io.tidemill.http.Parameters;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.http.SseWriter;
import io.tidemill.json.Json;
import io.tidemill.redis.StoreRetry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// Redrives and discards of many dead letters: `/api/dead/redrives…`.
public final class RedriveRoutes implements Routes {
  private static final int LISTED = 100;
  private static final int RESULTS = 100;
  private static final int RESULTS_MOST = 1_000;
  private static final int SHOWN = 100;
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final int LOOKS_BEFORE_A_SIGN = 30;

  private final RedriveStore redrives;
  private final DeadLetterCatalog catalog;
  private final RedriveStarter starter;

  public RedriveRoutes(RedriveStore redrives, DeadLetterCatalog catalog) {
    this.redrives = redrives;
    this.catalog = catalog;
    starter = new RedriveStarter(redrives, catalog);
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.post("/api/dead/redrives", this::begin).withMaxBody(8L * 1024 * 1024),
        Route.get("/api/dead/redrives", this::list),
        Route.get("/api/dead/redrives/{id}", this::show),
        Route.get("/api/dead/redrives/{id}/events", this::follow),
        Route.delete("/api/dead/redrives/{id}", this::cancel));
  }

  /// `POST /api/dead/redrives`
  public Response begin(Request request) {
    var asked = RedriveForm.decode(request.body());
    DeadLetterForms.source(catalog, asked.source());
    var result = starter.start(asked, request.identity().who());
    var action = asked.action().wire();
    var count = result.selection().chosen().size();
    var what = "%s %d of %s".formatted(action, count, asked.source());
    return switch (result) {
      case Result.Planned(var selection) -> {
        request.note("dry run: " + what);
        yield Response.ok(encode(selection));
      }
      case Result.Empty _ -> Response.problem(409, "there is nothing to " + action);
      case Result.Started(var id, _) -> {
        request.note(what + ": " + id);
        yield Response.accepted(Json.object().put("id", id).put("count", count))
            .withHeader("Location", "/api/dead/redrives/" + id);
      }
    };
  }

  private static ObjectNode encode(RedriveSelection selection) {
    var answer = Json.object().put("count", selection.chosen().size());
    var ids = answer.putArray("ids");
    selection.chosen().stream().limit(SHOWN).forEach(each -> ids.add(each.id()));
    var refused = answer.putArray("refused");
    selection.refused().stream()
        .limit(SHOWN)
        .forEach(each -> refused.addObject().put("id", each.id()).put("why", each.why()));
    answer.put("refusedCount", selection.refused().size());
    return answer.put("left", selection.left());
  }

  /// `GET /api/dead/redrives`
  public Response list(Request request) {
    var answer = Json.object();
    var list = answer.putArray("redrives");
    StoreRetry.answer(() -> redrives.newest(LISTED)).forEach(redrive -> list.add(encode(redrive)));
    return Response.ok(answer);
  }

  /// `GET /api/dead/redrives/{id}?offset=&limit=`
  public Response show(Request request) {
    var id = request.pathParam("id");
    var parameters = new Parameters(request);
    var offset = parameters.number("offset", 0, 0, RedriveStore.MAX_DEAD_LETTERS);
    var limit = parameters.number("limit", RESULTS, 1, RESULTS_MOST);
    return StoreRetry.answer(() -> redrives.find(id))
        .<Response>map(redrive -> {
          var answer = encode(redrive);
          var results = answer.putArray("results");
          StoreRetry.answer(() -> redrives.results(id, offset, limit))
              .forEach(noted -> results.add(encode(noted)));
          return Response.ok(answer);
        })
        .orElseGet(RedriveRoutes::unknown);
  }

  private static ObjectNode encode(Redrive redrive) {
    var order = redrive.order();
    var counts = redrive.counts();
    var endedAt = redrive.endedAt();
    var tree = Json.object();
    tree.put("id", redrive.id());
    tree.put("action", order.action().wire());
    tree.put("state", redrive.state().wire());
    tree.put("by", order.by().isEmpty() ? null : order.by());
    tree.put("source", order.source());
    tree.set("filter", order.filter());
    tree.put("total", counts.total());
    tree.put("redriven", counts.redriven());
    tree.put("discarded", counts.discarded());
    tree.put("failed", counts.failed());
    tree.put("skipped", counts.skipped());
    tree.put("ratePerSecond", order.rate());
    tree.put("startedAt", redrive.startedAt().toEpochMilli());
    if (endedAt == null) tree.putNull("endedAt");
    else tree.put("endedAt", endedAt.toEpochMilli());
    if (endedAt == null && !redrive.waitsFor().isEmpty()) tree.put("waitsFor", redrive.waitsFor());
    return tree;
  }

  private static ObjectNode encode(RedriveStore.RecordedOutcome noted) {
    var outcome = noted.outcome();
    return Json.object()
        .put("id", outcome.id())
        .put("status", outcome.kind().wire())
        .put("detail", outcome.detail())
        .put("at", noted.at().toEpochMilli());
  }

  /// `GET /api/dead/redrives/{id}/events`
  public Response follow(Request request) {
    var id = request.pathParam("id");
    return StoreRetry.answer(() -> redrives.find(id))
        .<Response>map(_ -> Response.events(out -> write(id, out)))
        .orElseGet(RedriveRoutes::unknown);
  }

  private void write(String id, SseWriter out) throws IOException, InterruptedException {
    var told = "";
    for (int silent = 0; ; silent++) {
      var redrive = StoreRetry.answer(() -> redrives.find(id));
      if (redrive.isEmpty()) return;
      var now = Json.text(encode(redrive.get()));
      if (redrive.get().hasEnded()) {
        out.event(null, "done", now);
        return;
      }
      if (!now.equals(told)) {
        out.event(null, "progress", now);
        silent = 0;
      } else if (silent % LOOKS_BEFORE_A_SIGN == LOOKS_BEFORE_A_SIGN - 1) {
        out.comment("");
      }
      told = now;
      Thread.sleep(LOOK);
    }
  }

  /// `DELETE /api/dead/redrives/{id}`
  public Response cancel(Request request) {
    var id = request.pathParam("id");
    var before = StoreRetry.answer(() -> redrives.find(id));
    if (before.isEmpty()) return unknown();
    var state = StoreRetry.answer(() -> redrives.cancel(id));
    if (state.isEmpty()) return unknown();
    if (before.get().state() != State.RUNNING || state.get() != State.CANCELED) {
      return Response.problem(409, "it has ended: it is " + state.get().wire());
    }
    return Response.ok(encode(StoreRetry.answer(() -> redrives.find(id)).orElse(before.get())));
  }

  private static Response unknown() {
    return Response.problem(404, "there is no such redrive or discard");
  }
}
