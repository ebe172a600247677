package io.tidemill.search.query;

import io.tidemill.embedding.Embedder;
import io.tidemill.lucene.LanguageAnalyzers;
import io.tidemill.lucene.SearchDeadline;
import io.tidemill.lucene.SearchException;
import io.tidemill.search.PageDocument;
import io.tidemill.search.RankingWeights;
import io.tidemill.search.SearchConfig;
import io.tidemill.search.SearchQuery;
import io.tidemill.search.SearchQuery.Mode;
import io.tidemill.search.SearchResult;
import io.tidemill.search.SearchResult.Facets;
import io.tidemill.search.SearchResult.Hit;
import io.tidemill.search.index.IndexLocation;
import io.tidemill.search.index.IndexStats;
import io.tidemill.search.index.IndexViews;
import io.tidemill.search.index.PageFields;
import io.tidemill.search.passage.PassageStats;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.FSDirectory;
import org.jspecify.annotations.Nullable;

/// Searches an index that this process or another one writes; changes are found a moment later.
///
/// Thread-safe. As long as there is no index, nothing is found; one that is where this process
/// can't see it is an error.
public final class PageSearch implements AutoCloseable {
  private final Path dir;
  private final SearchConfig config;
  private final InstantSource clock;
  private final IndexViews views;
  private final @Nullable SemanticSearch semantic;
  private final @Nullable IndexLocation location;

  /// Finds pages by their words alone.
  public PageSearch(Path dir, SearchConfig config, InstantSource clock) {
    this(dir, config, clock, null);
  }

  /// @param embedder by whose vectors pages are found as well
  public PageSearch(
      Path dir, SearchConfig config, InstantSource clock, @Nullable Embedder embedder) {
    this(dir, config, clock, embedder, null);
  }

  /// @param location finds out whether the indexers write this index; null when nobody asks
  public PageSearch(
      Path dir,
      SearchConfig config,
      InstantSource clock,
      @Nullable Embedder embedder,
      @Nullable IndexLocation location) {
    this.dir = dir;
    this.location = location;
    this.config = config;
    this.clock = clock;
    this.views = new IndexViews(dir, config.refresh());
    this.semantic =
        embedder == null
            ? null
            : new SemanticSearch(dir, embedder, config.refresh(), config.timeout());
  }

  /// The result, which is partial and says so when `search.timeout` has passed.
  ///
  /// @throws SearchException when the index can't be read
  public SearchResult search(SearchQuery query) {
    var start = System.nanoTime();
    return read(view -> search(query, view, start)).orElseGet(() -> nothing(query, start));
  }

  private SearchResult search(SearchQuery query, IndexViews.View view, long start)
      throws IOException {
    var deadline = SearchDeadline.after(config.timeout());
    var plan = new QueryPlan(query, view, deadline);
    var searcher = searcher(view, deadline);
    var near = nearPages(query, plan, searcher, deadline);
    var run = new SearchRun(query, plan, searcher, near, clock.instant(), config);
    var found = run.find();
    var hits = new ArrayList<Hit>();
    var highlights = new Highlighter(plan.words().highlights(), plan.words().highlightPrefixes());
    for (var doc : found.page()) hits.add(hit(view, highlights, doc, run.why(found.query(), doc)));
    var spelled =
        found.few()
            ? SpellingSuggester.correct(query.text(), plan, view.reader())
            : Optional.<String>empty();
    return new SearchResult(
        found.total(),
        query.page(),
        query.size(),
        millis(start),
        List.copyOf(hits),
        found.facets(),
        spelled,
        found.timedOut(),
        near == null ? Mode.KEYWORD : Mode.HYBRID);
  }

  /// Null when words alone count: by request, or without vectors.
  private @Nullable NearPageFinder nearPages(
      SearchQuery query, QueryPlan plan, IndexSearcher searcher, SearchDeadline deadline)
      throws IOException {
    if (semantic == null || query.mode() == Mode.KEYWORD) return null;
    if (query.order() != SearchQuery.Order.RELEVANCE) return null;
    var passages = semantic.passages();
    return semantic
        .vector(plan.question())
        .map(vector -> new NearPageFinder(passages, vector, searcher, deadline))
        .orElse(null);
  }

  private static IndexSearcher searcher(IndexViews.View view, SearchDeadline deadline) {
    var searcher = new IndexSearcher(view.reader());
    searcher.setSimilarity(RankingWeights.SIMILARITY);
    searcher.setTimeout(deadline);
    return searcher;
  }

  private static Hit hit(
      IndexViews.View view, Highlighter highlights, SearchRun.Doc doc, List<String> why)
      throws IOException {
    var stored = view.reader().storedFields();
    var page = PageFields.page(stored.document(doc.doc(), PageFields.HIT));
    var rules = LanguageAnalyzers.rulesFor(page.language(), page.main());
    var near = doc.near();
    var passage = near == null ? "" : near.text(page);
    return new Hit(
        page.fetchedUrl(),
        page.url(),
        page.title(),
        highlights.whole(page.title(), rules),
        highlights.snippet(page, rules, () -> PageFields.rest(stored, doc.doc()), passage),
        doc.score(),
        PageFields.site(page.url()),
        page.language(),
        page.type(),
        page.crawlId(),
        page.fetchedAt(),
        page.publishedAt(),
        page.contentHash(),
        page.messageId(),
        page.statusCode(),
        passage,
        near == null ? 0 : near.similarity(),
        why);
  }

  private static SearchResult nothing(SearchQuery query, long start) {
    return new SearchResult(
        0,
        query.page(),
        query.size(),
        millis(start),
        List.of(),
        Facets.NONE,
        Optional.empty(),
        false,
        Mode.KEYWORD);
  }

  private static long millis(long start) {
    return Duration.ofNanos(System.nanoTime() - start).toMillis();
  }

  /// Completions of a text, the likeliest first.
  public List<String> suggest(String text, int size) {
    var deadline = SearchDeadline.after(config.timeout());
    return read(view ->
            new Autocomplete(view.reader(), searcher(view, deadline), deadline).of(text, size))
        .orElse(List.of());
  }

  /// The page with that normalised URL, with its whole text.
  public Optional<PageDocument> find(String url) {
    return read(view -> find(url, view.reader())).flatMap(found -> found);
  }

  private static Optional<PageDocument> find(String url, DirectoryReader reader)
      throws IOException {
    var id = new TermQuery(new Term(PageFields.ID, PageFields.id(url)));
    var found = new IndexSearcher(reader).search(id, 1).scoreDocs;
    if (found.length == 0) return Optional.empty();
    var page = PageFields.page(reader.storedFields().document(found[0].doc));
    // A tombstone has an id, but no URL.
    return page.url().isEmpty() ? Optional.empty() : Optional.of(page);
  }

  /// How much the index holds.
  public IndexStats stats() {
    return read(view -> IndexStats.of(view.reader(), dir)).orElse(IndexStats.NONE);
  }

  /// The passages of those pages nearest to the question, the nearest first; none of pages without
  /// vectors.
  public List<FoundPassage> passages(String question, Collection<String> urls, int most) {
    var vectors = semantic;
    if (vectors == null || urls.isEmpty()) return List.of();
    return read(view -> passages(vectors, question, urls, most, view.reader())).orElse(List.of());
  }

  private List<FoundPassage> passages(
      SemanticSearch vectors,
      String question,
      Collection<String> urls,
      int most,
      DirectoryReader reader)
      throws IOException {
    var vector = vectors.vector(question);
    if (vector.isEmpty()) return List.of();
    var pages = new HashMap<String, PageDocument>();
    for (var url : urls) {
      find(url, reader).ifPresent(page -> pages.put(PageFields.id(page.url()), page));
    }
    var end = SearchDeadline.after(config.timeout());
    var found = new ArrayList<FoundPassage>();
    for (var near : vectors.passages().nearest(vector.get(), most, pages.keySet(), end)) {
      var page = pages.get(near.id());
      var text = page == null ? "" : near.text(page);
      if (page != null && !text.isEmpty()) {
        found.add(new FoundPassage(page.url(), text, near.similarity()));
      }
    }
    return found;
  }

  /// A part of a page and its similarity to the question.
  public record FoundPassage(String url, String text, double similarity) {}

  /// Whether the folder has an index.
  public static boolean isIndex(Path dir) {
    try (var directory = FSDirectory.open(dir)) {
      return DirectoryReader.indexExists(directory);
    } catch (IOException unreadable) {
      return false;
    }
  }

  /// Loads the model in the background, if there are vectors.
  public void warm() {
    try {
      // Reads without asking where the index is: Redis may not have started yet.
      if (semantic != null && passageStats(semantic).passages() > 0) semantic.warm();
    } catch (IOException | SearchException unreadable) {
      // The first search reports it.
    }
  }

  /// The state of the vectors.
  public PassageStats passageStats() {
    var vectors = semantic;
    if (vectors == null) return new PassageStats(0, 0);
    return read(view -> PassageStats.of(view.reader(), vectors.passages()))
        .orElse(new PassageStats(0, 0));
  }

  private PassageStats passageStats(SemanticSearch vectors) throws IOException {
    return views
        .read(view -> PassageStats.of(view.reader(), vectors.passages()))
        .orElse(new PassageStats(0, 0));
  }

  // As long as there is no index here, it may be elsewhere.
  private <T> Optional<T> read(IndexViews.Reading<T> reading) {
    try {
      var view = view();
      if (view.isEmpty()) {
        check("");
        return Optional.empty();
      }
      try (var open = view.get()) {
        check(open.id());
        return Optional.of(reading.from(open));
      }
    } catch (IOException failed) {
      throw new SearchException("the index in " + dir + " can't be read: " + failed, failed);
    }
  }

  private Optional<IndexViews.View> view() throws IOException {
    var view = views.view();
    if (location == null || view.isEmpty() || location.isInUse(view.get().id())) return view;
    view.get().close();
    views.dropReplaced();
    return views.view();
  }

  private void check(String id) {
    if (location != null) location.check(id);
  }

  @Override
  public void close() {
    try {
      views.close();
      if (semantic != null) semantic.close();
    } catch (IOException failed) {
      throw new SearchException("the index in " + dir + " did not close", failed);
    }
  }
}
