package io.tidemill.processor.input;

import io.tidemill.api.RecordReader;
import io.tidemill.api.Records;
import io.tidemill.api.WorkFailure;
import io.tidemill.contract.workflow.ExecutionTime;
import io.tidemill.json.Json;
import io.tidemill.lucene.SearchException;
import io.tidemill.search.QueryParser;
import io.tidemill.search.SearchConfig;
import io.tidemill.search.SearchQuery;
import io.tidemill.search.SearchResult.Hit;
import io.tidemill.search.query.PageSearch;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads the hits of a search, the best first: `{"search":"query","limit":100,"text":true}`.
public record SearchSource(PageSearch pages, SearchConfig config) implements InputSource {
  private static final int LIMIT = 1_000;

  @Override
  public Records records(JsonNode value, ObjectNode input) throws WorkFailure {
    var text = InputSources.text(value, "search", QueryParser.MAX_LENGTH);
    var limit =
        InputSources.number(input, "limit", Math.min(LIMIT, config.maxDepth()), config.maxDepth());
    var withText = InputSources.flag(input, "text");
    return () -> new Hits(SearchQuery.of(text), limit, withText);
  }

  @Override
  public Set<String> options() {
    return Set.of("limit", "text");
  }

  /// The hits of one search, a page of results at a time.
  private final class Hits implements RecordReader {
    private final SearchQuery query;
    private final boolean withText;
    // The index may change between two pages: duplicates are dropped.
    private final Set<String> seen = new HashSet<>();
    private final Queue<Hit> ready = new ArrayDeque<>();
    private int left;
    private int page;
    private boolean ended;

    Hits(SearchQuery query, int limit, boolean withText) {
      this.query = query;
      this.left = limit;
      this.withText = withText;
    }

    @Override
    public @Nullable JsonNode next() {
      if (left == 0) return null;
      while (ready.isEmpty() && !ended) load();
      var hit = ready.poll();
      if (hit == null) return null;
      left--;
      return record(hit);
    }

    private void load() {
      page++;
      var size = config.maxSize();
      var found = pages.search(query.page(page, size));
      if (found.timedOut()) {
        throw new SearchException("the search took too long", new TimeoutException(query.text()));
      }
      ended = found.hits().size() < size || (long) (page + 1) * size > config.maxDepth();
      for (var hit : found.hits()) {
        if (seen.add(hit.identity())) ready.add(hit);
      }
    }

    private ObjectNode record(Hit hit) {
      var published = hit.publishedAt();
      var record = Json.object();
      record.put("url", hit.url());
      record.put("title", hit.title());
      record.put("snippet", plain(hit.snippet()));
      record.put("score", hit.score());
      record.put("site", hit.site());
      record.put("language", hit.language());
      record.put("type", hit.type());
      record.put("statusCode", hit.statusCode());
      record.put("fetchedAt", ExecutionTime.encode(hit.fetchedAt()));
      record.put("publishedAt", published == null ? null : ExecutionTime.encode(published));
      record.put("crawlId", hit.crawlId());
      record.put("contentHash", hit.contentHash());
      if (withText) {
        pages.find(hit.identity()).ifPresent(found -> record.put("text", found.main()));
      }
      return record;
    }

    @Override
    public void close() {}
  }

  /// Snippets are HTML for web pages; records hold plain text.
  private static String plain(String html) {
    return html.replaceAll("</?em>", "")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#x27;", "'")
        .replace("&#39;", "'")
        .replace("&#x2F;", "/")
        .replace("&amp;", "&");
  }
}
