package io.tidemill.gateway.search;

import io.tidemill.http.Parameters;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.json.Json;
import io.tidemill.search.QueryParser;
import io.tidemill.search.SearchConfig;
import io.tidemill.search.SearchQuery;
import io.tidemill.search.SearchResult;
import io.tidemill.search.SearchResult.Count;
import io.tidemill.search.SearchResult.Hit;
import io.tidemill.search.query.PageSearch;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Search over HTTP (C4.7): `/api/search`, `/api/suggest`.
public final class SearchRoutes implements Routes {
  private static final int SUGGESTIONS = 8;
  private static final int SUGGESTIONS_MOST = 20;

  private final PageSearch pages;
  private final SearchConfig config;

  public SearchRoutes(PageSearch pages, SearchConfig config) {
    this.pages = pages;
    this.config = config;
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.get("/api/search", this::search), Route.get("/api/suggest", this::suggest));
  }

  /// `GET /api/search?q=&site=&lang=&type=&from=&to=&page=&size=&sort=&explain=&mode=`
  Response search(Request request) {
    var query = query(new Parameters(request));
    return Response.ok(encode(SearchRetry.answer(() -> pages.search(query)), query.explain()));
  }

  private SearchQuery query(Parameters given) {
    var size = given.number("size", Math.min(10, config.maxSize()), 1, config.maxSize());
    var deepest = Math.max(1, config.maxDepth() / size);
    return new SearchQuery(
        given.text("q", QueryParser.MAX_LENGTH),
        given.text("site", 255),
        given.text("lang", 35),
        given.text("type", 255),
        given.date("from", false),
        given.date("to", true),
        given.number("page", 1, 1, deepest),
        size,
        given.choice("sort", SearchQuery.Order.RELEVANCE),
        given.flag("explain"),
        given.choice("mode", SearchQuery.Mode.HYBRID));
  }

  /// `GET /api/suggest?q=&size=`
  Response suggest(Request request) {
    var given = new Parameters(request);
    var text = given.text("q", QueryParser.MAX_LENGTH);
    var size = given.number("size", SUGGESTIONS, 1, SUGGESTIONS_MOST);
    var answer = Json.object();
    var suggestions = answer.putArray("suggestions");
    SearchRetry.answer(() -> pages.suggest(text, size)).forEach(suggestions::add);
    return Response.ok(answer);
  }

  private static ObjectNode encode(SearchResult found, boolean explained) {
    var answer = Json.object();
    answer.put("total", found.total());
    answer.put("page", found.page());
    answer.put("size", found.size());
    answer.put("tookMs", found.tookMs());
    answer.put("mode", found.mode().name().toLowerCase(Locale.ROOT));
    var hits = answer.putArray("hits");
    for (var hit : found.hits()) hits.add(encode(hit, explained));
    var facets = answer.putObject("facets");
    encode(found.facets().site(), facets.putArray("site"));
    encode(found.facets().language(), facets.putArray("language"));
    encode(found.facets().type(), facets.putArray("type"));
    encode(found.facets().date(), facets.putArray("date"));
    found.didYouMean().ifPresent(text -> answer.put("didYouMean", text));
    if (found.timedOut()) answer.put("timedOut", true);
    return answer;
  }

  private static ObjectNode encode(Hit hit, boolean explained) {
    var tree = Json.object();
    tree.put("url", hit.url());
    tree.put("identity", hit.identity());
    tree.put("title", hit.title());
    tree.put("titleHighlighted", hit.titleHighlighted());
    tree.put("snippet", hit.snippet());
    tree.put("score", hit.score());
    tree.put("site", hit.site());
    tree.put("language", hit.language());
    tree.put("type", hit.type());
    tree.put("crawlId", hit.crawlId());
    tree.put("fetchedAt", PageRoutes.text(hit.fetchedAt()));
    tree.put("publishedAt", PageRoutes.text(hit.publishedAt()));
    tree.put("contentHash", hit.contentHash());
    tree.put("messageId", hit.messageId());
    tree.put("statusCode", hit.statusCode());
    if (!hit.passage().isEmpty()) tree.put("passage", hit.passage());
    if (hit.similarity() > 0) tree.put("similarity", hit.similarity());
    if (explained) hit.why().forEach(tree.putArray("explanation")::add);
    return tree;
  }

  private static void encode(List<Count> counts, ArrayNode into) {
    for (var count : counts) {
      into.addObject().put("value", count.value()).put("count", count.count());
    }
  }
}
