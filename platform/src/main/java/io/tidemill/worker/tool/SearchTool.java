package io.tidemill.worker.tool;

import io.tidemill.api.JobCall;
import io.tidemill.api.JobFailure;
import io.tidemill.api.RetryLater;
import io.tidemill.json.IsoTime;
import io.tidemill.json.Json;
import io.tidemill.lucene.SearchException;
import io.tidemill.search.QueryParser;
import io.tidemill.search.SearchConfig;
import io.tidemill.search.SearchQuery;
import io.tidemill.search.SearchResult;
import io.tidemill.search.query.PageSearch;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Searches the pages that were crawled and indexed (C3.11, C4.7).
public final class SearchTool extends BuiltInTool {
  private final Supplier<PageSearch> pages;
  private final SearchConfig config;

  /// @param pages opened by the first call
  public SearchTool(Supplier<PageSearch> pages, SearchConfig config) {
    super(
        "search",
        true,
        "Searches the pages that were crawled and indexed here, by words and by meaning. Returns"
            + " URL, title and a snippet of each hit, and the passage that is nearest in meaning with its"
            + " similarity. Crawl a site first (crawl.start) to find its pages.",
        ToolArguments.schema(
            """
            {"query": {"type": "string", "minLength": 1, "maxLength": %d,
               "description": "Words; \\"a phrase\\"; title:word, url:word; -word for pages without it."},
             "site": {"type": "string", "maxLength": 255, "description": "Only pages of this host and its subdomains."},
             "lang": {"type": "string", "maxLength": 35, "description": "Only pages in this language, such as en."},
             "type": {"type": "string", "maxLength": 255, "description": "Only this kind, such as html or pdf."},
             "size": {"type": "integer", "minimum": 1, "maximum": %d, "description": "Hits on a page; 10 by default."},
             "page": {"type": "integer", "minimum": 1, "description": "Which page of hits; the first is 1."}}
            """
                .formatted(QueryParser.MAX_LENGTH, config.maxSize()),
            "query"));
    this.pages = pages;
    this.config = config;
  }

  @Override
  public JsonNode call(JsonNode arguments, JobCall job) throws Exception {
    var given = new ToolArguments(arguments);
    var size = given.number("size", Math.min(10, config.maxSize()));
    var page = given.number("page", 1);
    if ((long) page * size > config.maxDepth()) {
      throw ToolArguments.wrong("page: there are no hits behind the first " + config.maxDepth());
    }
    var query =
        new SearchQuery(
            given.text("query"),
            given.text("site"),
            given.text("lang"),
            given.text("type"),
            null,
            null,
            page,
            size,
            SearchQuery.Order.RELEVANCE,
            false,
            SearchQuery.Mode.HYBRID);
    try {
      return result(pages.get(), query);
    } catch (SearchException failed) {
      if (failed.isElsewhere()) {
        throw new JobFailure("INDEX_ELSEWHERE", String.valueOf(failed.getMessage()));
      }
      throw new RetryLater(String.valueOf(failed.getMessage()), failed);
    }
  }

  private static ObjectNode result(PageSearch pages, SearchQuery query) throws JobFailure {
    var found = pages.search(query);
    if (found.total() == 0 && pages.stats().documents() == 0) {
      throw new JobFailure(
          "NO_PAGES",
          "the index of this worker is empty: nothing was crawled yet, or the index is elsewhere and"
              + " search.dir must name it");
    }
    var tree = Json.object().put("total", found.total()).put("page", found.page());
    var hits = tree.putArray("hits");
    for (var hit : found.hits()) hits.add(hit(hit));
    found.didYouMean().ifPresent(text -> tree.put("didYouMean", text));
    if (found.timedOut()) tree.put("timedOut", true);
    return tree;
  }

  private static ObjectNode hit(SearchResult.Hit hit) {
    var tree =
        Json.object()
            .put("url", hit.url())
            .put("title", hit.title())
            .put("snippet", plain(hit.snippet()))
            .put("score", hit.score())
            .put("language", hit.language())
            .put("type", hit.type())
            .put("crawlId", hit.crawlId())
            .put("fetchedAt", IsoTime.text(hit.fetchedAt()));
    if (!hit.passage().isEmpty()) tree.put("passage", hit.passage());
    if (hit.similarity() > 0) tree.put("similarity", hit.similarity());
    return tree;
  }

  // Snippets are HTML with marks. `&amp;` comes last.
  static String plain(String html) {
    return html.replace("<em>", "")
        .replace("</em>", "")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&");
  }
}
