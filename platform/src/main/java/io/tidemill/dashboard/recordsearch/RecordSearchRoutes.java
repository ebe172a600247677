package io.tidemill.dashboard.recordsearch;

import io.tidemill.http.Parameters;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.json.Json;
import io.tidemill.recordsearch.IndexedRecord;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// Search over jobs, workflows, tasks, crawls and dead letters: `/api/find`.
public final class RecordSearchRoutes implements Routes {
  private static final int LONGEST = 1_000;
  private static final int LIMIT = 20;
  private static final int LIMIT_MOST = 100;

  private final RecordIndexer indexer;

  public RecordSearchRoutes(RecordIndexer indexer) {
    this.indexer = indexer;
  }

  @Override
  public List<Route> routes() {
    return List.of(Route.get("/api/find", this::find));
  }

  /// `GET /api/find?q=&kind=&limit=`
  Response find(Request request) {
    var given = new Parameters(request);
    var text = given.text("q", LONGEST);
    var kind = given.oneOf("kind", RecordKind.NAMES);
    return answer(text, kind == null ? "" : kind, given.number("limit", LIMIT, 1, LIMIT_MOST));
  }

  private Response answer(String text, String kind, int limit) {
    var found = indexer.search(text, kind, limit);
    var answer = Json.object();
    var hits = answer.putArray("hits");
    for (var hit : found.hits()) hits.add(encode(hit));
    answer.put("total", found.total());
    answer.put("tookMs", found.tookMs());
    answer.put("indexed", found.indexed());
    answer.put("behind", indexer.behind());
    answer.put("skipped", indexer.skipped());
    return Response.ok(answer);
  }

  private static ObjectNode encode(IndexedRecord hit) {
    var tree = Json.object();
    tree.put("kind", hit.kind());
    tree.put("id", hit.id());
    tree.put("title", hit.title());
    tree.put("text", hit.text());
    tree.put("status", hit.status());
    tree.put("at", hit.at());
    if (!hit.source().isEmpty()) tree.put("source", hit.source());
    return tree;
  }
}
