package io.tidemill.gateway;

import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.crawl.CrawlStore;
import io.tidemill.crawl.FrontierInspector;
import io.tidemill.http.Parameters;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.json.Json;
import io.tidemill.redis.StoreRetry;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;

/// Hosts in the frontier and when they may be fetched from: `/api/hosts`, `/api/crawls/{id}/hosts`.
public final class HostRoutes implements Routes {
  private static final int MOST = 1_000;

  private final FrontierInspector frontier;
  private final CrawlStore crawls;

  public HostRoutes(FrontierInspector frontier, CrawlStore crawls) {
    this.frontier = frontier;
    this.crawls = crawls;
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.get("/api/hosts", this::all), Route.get("/api/crawls/{id}/hosts", this::ofCrawl));
  }

  /// `GET /api/hosts?limit=`, by the time of the next fetch
  Response all(Request request) {
    return answer(request, "");
  }

  /// `GET /api/crawls/{id}/hosts?limit=`
  Response ofCrawl(Request request) {
    var id = request.pathParam("id");
    if (!CrawlNames.isId(id) || !StoreRetry.answer(() -> crawls.exists(id))) {
      return Response.problem(404, "there is no such crawl");
    }
    return answer(request, id);
  }

  private Response answer(Request request, String crawl) {
    var limit = new Parameters(request).number("limit", 100, 1, MOST);
    var state = StoreRetry.answer(() -> frontier.inspect(crawl, limit));
    var answer = Json.object();
    write(state, answer.putArray("hosts"));
    return Response.ok(answer);
  }

  private void write(FrontierInspector.FrontierState state, ArrayNode out) {
    for (var host : state.hosts()) {
      var readyAt = host.queued() > 0 ? Long.valueOf(host.readyAt()) : host.laterAt();
      out.addObject()
          .put("host", host.name())
          .put("queued", host.queued() + host.later())
          .put("running", host.running())
          .put("nextAt", readyAt == null || readyAt <= state.at() ? null : readyAt)
          .put("delayMs", host.delay().toMillis())
          .put("pausedUntil", host.until() > state.at() ? Long.valueOf(host.until()) : null)
          .put("crawls", host.crawls())
          .put("why", frontier.why(host, state.at()));
    }
  }
}
