package io.tidemill.processor.report;

import io.tidemill.content.url.UrlNormaliser;
import io.tidemill.content.url.WebUrl;
import io.tidemill.contract.crawl.Crawl;
import io.tidemill.contract.crawl.CrawlKey;
import io.tidemill.crawl.CrawlCounters;
import io.tidemill.crawl.CrawlRecord;
import io.tidemill.crawl.CrawlStore;
import io.tidemill.json.Json;
import io.tidemill.processor.chart.WordCount;
import io.tidemill.processor.report.CrawlData.Visit;
import io.tidemill.search.PageDocument;
import io.tidemill.search.SearchQuery;
import io.tidemill.search.SearchResult;
import io.tidemill.search.index.IndexStats;
import io.tidemill.search.query.PageSearch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Collects the data of reports on crawls and on the index.
///
/// @param urls by which pages are known (C4.4)
public record CrawlReportData(CrawlStore crawls, PageSearch pages, UrlNormaliser urls) {
  private static final int MOST_VISITS = 1_000;
  private static final int MOST_TEXTS = 300;
  private static final int NEWEST = 20;
  private static final List<String> COUNTS =
      List.of("found", "fetched", "skipped", "failed", "bytes");

  /// @param email of the owner; empty when the crawl's own record has it
  Optional<CrawlData> crawl(String id, String email) {
    var key =
        crawls
            .owner(id)
            .or(() -> email.isEmpty() ? Optional.empty() : Optional.of(new CrawlKey(email, id)));
    return key.flatMap(crawls::find).map(this::gather);
  }

  private CrawlData gather(Crawl crawl) {
    var record = crawls.record(crawl.id());
    var counters = record.map(CrawlRecord::counters).orElse(CrawlCounters.NONE);
    var words = new WordCount();
    var visits = visits(crawl, words);
    return new CrawlData(
        crawl.id(),
        crawl.url(),
        crawl.status(),
        counters.startedAt() == null ? counts(crawl.result()) : counters.byName(),
        counters.startedAt(),
        counters.endedAt(),
        record
            .map(CrawlRecord::stoppedBy)
            .filter(option -> !option.isEmpty())
            .orElse(crawl.result().path("stoppedBy").asString("")),
        crawl.result().path("errorMessage").asString(""),
        visits,
        words.top(12));
  }

  // Progress expires; the crawl's result stays.
  private static Map<String, Long> counts(JsonNode result) {
    var counts = new LinkedHashMap<String, Long>();
    for (var name : COUNTS) counts.put(name, result.path(name).asLong(0));
    return counts;
  }

  private List<Visit> visits(Crawl crawl, WordCount words) {
    var visits = new ArrayList<Visit>();
    for (var line : lines(crawl)) {
      var found =
          visits.size() < MOST_VISITS ? inIndex(line, crawl) : Optional.<PageDocument>empty();
      if (visits.size() < MOST_TEXTS) found.ifPresent(page -> words.add(page.main()));
      visits.add(visit(line, found));
    }
    return visits;
  }

  private List<JsonNode> lines(Crawl crawl) {
    var lines = new ArrayList<JsonNode>();
    for (var text : crawls.lines(crawl.id(), 0, MOST_VISITS)) {
      try {
        lines.add(Json.parse(text));
      } catch (JacksonException notOurs) {
        // A foreign line has nothing to show.
      }
    }
    if (lines.isEmpty()) crawl.result().path("pages").forEach(lines::add);
    return lines;
  }

  private Optional<PageDocument> inIndex(JsonNode line, Crawl crawl) {
    if (!line.path("outcome").asString("").equals("fetched")) return Optional.empty();
    var url = line.path("url").asString("");
    return WebUrl.parse(url)
        .map(urls::normalise)
        .flatMap(pages::find)
        .filter(page -> page.crawlId().equals(crawl.id()));
  }

  private static Visit visit(JsonNode line, Optional<PageDocument> page) {
    return new Visit(
        line.path("url").asString(""),
        line.path("outcome").asString(""),
        line.path("status").asInt(0),
        line.path("title").asString(""),
        line.path("bytes").asLong(0),
        line.path("depth").asInt(-1),
        line.path("reason").asString(""),
        page.map(PageDocument::language).orElse(""),
        page.map(PageDocument::type).orElse(""),
        page.map(PageDocument::fetchedAt).orElse(null));
  }

  /// The whole index.
  ///
  /// @param crawls the newest of one owner; empty when nobody was named
  record Overview(IndexStats stats, SearchResult newest, List<Crawl> crawls) {}

  Overview overview(String email) {
    var everything =
        new SearchQuery(
            "",
            "",
            "",
            "",
            null,
            null,
            1,
            NEWEST,
            SearchQuery.Order.NEWEST,
            false,
            SearchQuery.Mode.KEYWORD);
    return new Overview(pages.stats(), pages.search(everything), newest(email));
  }

  private List<Crawl> newest(String email) {
    if (email.isEmpty()) return List.of();
    return crawls.list(email).stream()
        .sorted(Comparator.comparing(CrawlStore.Listed::createdAt).reversed())
        .limit(NEWEST)
        .flatMap(listed -> crawls.find(new CrawlKey(email, listed.id())).stream())
        .toList();
  }
}
