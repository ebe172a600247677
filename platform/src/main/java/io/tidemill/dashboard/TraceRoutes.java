package io.tidemill.dashboard;

import io.tidemill.http.Parameters;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.json.Json;
import io.tidemill.redis.StoreRetry;
import io.tidemill.trace.TraceStore;
import io.tidemill.trace.TraceStore.Place;
import io.tidemill.trace.TraceStore.Row;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Traces of requests through the platform: `/api/traces…`.
public final class TraceRoutes implements Routes {
  private static final int LIMIT = 50;
  private static final int LIMIT_MOST = 200;
  private static final int LONGEST = 250;
  private static final Pattern OBJECT = Pattern.compile("(job|crawl|workflow|task):\\S{1,200}");
  private static final Pattern TRACE = Pattern.compile("[0-9a-f]{32}");
  private static final Pattern PLACE = Pattern.compile("([0-9]{1,17})-([0-9a-f]{32})");

  private final TraceStore store;

  public TraceRoutes(TraceStore store) {
    this.store = store;
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.get("/api/traces", this::list), Route.get("/api/traces/{traceId}", this::show));
  }

  /// `GET /api/traces?object=&limit=&before=`
  Response list(Request request) {
    var parameters = new Parameters(request);
    var limit = parameters.number("limit", LIMIT, 1, LIMIT_MOST);
    var object = object(parameters);
    var behind = place(parameters);
    return list(StoreRetry.answer(() -> store.newest(object, behind, limit + 1)), limit);
  }

  private static @Nullable String object(Parameters parameters) {
    var object = parameters.text("object", LONGEST);
    if (object.isEmpty()) return null;
    if (OBJECT.matcher(object).matches()) return object;
    throw new Parameters.Wrong("object", "job:ID, crawl:ID, workflow:ID or task:ID");
  }

  private static @Nullable Place place(Parameters parameters) {
    var before = parameters.text("before", LONGEST);
    if (before.isEmpty()) return null;
    var parts = PLACE.matcher(before);
    if (!parts.matches()) throw new Parameters.Wrong("before", "the next of another page");
    return new Place(Long.parseLong(parts.group(1)), parts.group(2));
  }

  private static Response list(List<Row> rows, int limit) {
    var answer = Json.object();
    var traces = answer.putArray("traces");
    rows.stream().limit(limit).forEach(row -> traces.add(encode(row)));
    if (rows.size() > limit) {
      var last = rows.get(limit - 1).place();
      answer.put("next", last.startMicros() + "-" + last.traceId());
    }
    return Response.ok(answer);
  }

  private static ObjectNode encode(Row row) {
    var tree = Json.object();
    tree.put("traceId", row.traceId());
    tree.put("at", row.startMicros() / 1_000);
    tree.put("name", row.name());
    tree.put("spans", row.spans());
    tree.put("durationMs", row.durationMicros() / 1_000);
    tree.put("error", row.isError());
    tree.put("truncated", row.isTruncated());
    var objects = tree.putArray("objects");
    row.objects().forEach(objects::add);
    return tree;
  }

  /// `GET /api/traces/{traceId}`
  Response show(Request request) {
    var id = request.pathParam("traceId");
    if (!TRACE.matcher(id).matches()) return unknown();
    return StoreRetry.answer(() -> store.find(id))
        .<Response>map(found -> {
          var answer = Json.object().put("traceId", id);
          answer.putArray("spans").addAll(found.spans());
          return Response.ok(answer.put("truncated", found.isTruncated()));
        })
        .orElseGet(TraceRoutes::unknown);
  }

  private static Response unknown() {
    return Response.problem(
        404, "there is no trace of this id: it was not recorded, or it is forgotten");
  }
}
