package io.tidemill.gateway;

import io.tidemill.contract.Json;
import io.tidemill.http.Parameters;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.http.Unavailable;
import io.tidemill.store.redis.DeadJobs;
import io.tidemill.store.redis.JobsConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// What could not be worked off, and the way back: `/api/dead…`.
public final class DeadRoutes implements Routes {
  private static final Logger log = LoggerFactory.getLogger(DeadRoutes.class);
  private static final int LIMIT = 50;
  private static final int LIMIT_MOST = 1_000;
  private static final int LONGEST = 1_000;

  private final Map<String, DeadSource> sources = new TreeMap<>();

  /// Jobs alone.
  public DeadRoutes(DeadJobs jobs, JobsConfig config) {
    this(jobs, config, Map.of());
  }

  /// @param more where else things end up, by the name under which clients ask
  public DeadRoutes(DeadJobs jobs, JobsConfig config, Map<String, DeadSource> more) {
    sources.putAll(more);
    sources.put(DeadEntries.NAME, new DeadEntries(jobs, config));
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.get("/api/dead", request -> checked(request, this::list)),
        Route.get("/api/dead/{id}", this::show),
        Route.post("/api/dead/{id}/redrive", request -> checked(request, this::redrive)));
  }

  private static Response checked(Request request, Function<Request, Response> handler) {
    try {
      return handler.apply(request);
    } catch (Parameters.Wrong wrong) {
      return Response.problem(422, wrong.detail());
    }
  }

  /// `GET /api/dead?source=&limit=&before=`
  Response list(Request request) {
    var parameters = new Parameters(request);
    var limit = parameters.number("limit", LIMIT, 1, LIMIT_MOST);
    var before = parameters.text("before", LONGEST);
    var page = source(parameters).list(limit, before.isEmpty() ? null : before);
    var answer = Json.object();
    answer.putArray("dead").addAll(page.dead());
    answer.put("total", page.total());
    if (page.next() != null) answer.put("next", page.next());
    if (parameters.text("source", LONGEST).isEmpty()) putOthers(answer);
    return Response.ok(answer);
  }

  // Who names no source would else take no dead jobs for nothing dead.
  private void putOthers(ObjectNode answer) {
    var others = Json.object();
    try {
      sources.forEach((name, source) -> {
        var waiting = name.equals(DeadEntries.NAME) ? 0 : source.waiting();
        if (waiting > 0) others.put(name, waiting);
      });
    } catch (Unavailable silent) {
      log.debug("what else is dead is not known: {}", silent.getMessage());
      return; // no reason to keep back the jobs
    }
    answer.set("others", others);
  }

  private DeadSource source(Parameters parameters) {
    var name = parameters.text("source", LONGEST);
    var source = sources.get(name.isEmpty() ? DeadEntries.NAME : name);
    if (source == null) {
      throw new Parameters.Wrong("source", "one of " + String.join(", ", sources.keySet()));
    }
    return source;
  }

  /// `GET /api/dead/{id}`
  Response show(Request request) {
    return first(source -> source.find(request.pathParam("id")))
        .<Response>map(Response::ok)
        .orElseGet(DeadRoutes::unknown);
  }

  /// `POST /api/dead/{id}/redrive?again=`
  Response redrive(Request request) {
    var again = new Parameters(request).flag("again");
    return first(source -> source.redrive(request.pathParam("id"), again))
        .orElseGet(DeadRoutes::unknown);
  }

  // Ids differ in shape, so at most one of them knows it.
  private <T> Optional<T> first(Function<DeadSource, Optional<T>> question) {
    return sources.values().stream().map(question).flatMap(Optional::stream).findFirst();
  }

  private static Response unknown() {
    return Response.problem(404, "there is no such dead entry");
  }
}
