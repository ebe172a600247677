package io.tidemill.recordsearch;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.index.QueryTimeoutImpl;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.TopFieldDocs;

/// Reads an index of things while it is written: for those who search, and for its writer.
final class RecordSearcher implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(2);
  private static final Duration REFRESH = Duration.ofMillis(300);
  private static final int MOST_IDS = 1_000_000;
  private static final Sort BEST =
      new Sort(SortField.FIELD_SCORE, new SortField(RecordFields.AT, SortField.Type.LONG, true));
  private static final Sort OLDEST =
      new Sort(new SortField(RecordFields.AT, SortField.Type.LONG, false));

  private final RecordIndexFolder folder;
  private final SearcherManager searchers;
  private volatile long refreshedAt = System.nanoTime() - REFRESH.toNanos();

  RecordSearcher(RecordIndexFolder folder) throws IOException {
    this.folder = folder;
    searchers = new SearcherManager(folder.writer(), null);
  }

  /// Finds things.
  RecordSearchResult search(String text, String kind, int limit) {
    var began = System.nanoTime();
    refreshAtTimes();
    return asking(searcher -> {
      var query = new RecordQuery(text, kind);
      var found = search(searcher, query.strict(), limit);
      var loose = query.loose();
      if (found.totalHits.value() == 0 && loose.isPresent()) {
        found = search(searcher, loose.get(), limit);
      }
      var hits = new ArrayList<IndexedRecord>();
      var stored = searcher.storedFields();
      for (var hit : found.scoreDocs) {
        hits.add(shown(RecordFields.thing(stored.document(hit.doc)), query.words()));
      }
      var took = Duration.ofNanos(System.nanoTime() - began).toMillis();
      var indexed = searcher.getIndexReader().numDocs();
      return new RecordSearchResult(hits, found.totalHits.value(), took, indexed);
    });
  }

  private static TopFieldDocs search(IndexSearcher shared, Query query, int limit)
      throws IOException {
    // One of its own: a limit of time belongs to a searcher, not to a search.
    var searcher = new IndexSearcher(shared.getIndexReader());
    searcher.setTimeout(new QueryTimeoutImpl(LIMIT.toMillis()));
    return searcher.search(query, new TopFieldCollectorManager(BEST, limit, Integer.MAX_VALUE));
  }

  private static IndexedRecord shown(IndexedRecord thing, List<String> words) {
    return new IndexedRecord(
        thing.kind(),
        thing.id(),
        thing.title(),
        RecordSnippet.of(thing.text(), words),
        thing.status(),
        thing.at(),
        thing.source(),
        thing.until());
  }

  /// A thing as it was put, a moment ago too.
  Optional<IndexedRecord> find(String kind, String id) {
    refresh();
    return asking(searcher -> {
      var found = searcher.search(new TermQuery(RecordFields.key(kind, id)), 1);
      if (found.scoreDocs.length == 0) return Optional.empty();
      var document = searcher.storedFields().document(found.scoreDocs[0].doc);
      return Optional.of(RecordFields.thing(document));
    });
  }

  /// The ids of those of a kind that also have this.
  List<String> ids(String kind, Term also) {
    var query =
        new BooleanQuery.Builder()
            .add(new TermQuery(new Term(RecordFields.KIND, kind)), Occur.FILTER)
            .add(new TermQuery(also), Occur.FILTER)
            .build();
    refresh();
    return oldest(query, MOST_IDS, RecordFields.ID);
  }

  /// The keys of the oldest.
  List<String> oldest(int most) {
    return oldest(MatchAllDocsQuery.INSTANCE, most, RecordFields.KEY);
  }

  private List<String> oldest(Query query, int most, String field) {
    return asking(searcher -> {
      var found = searcher.search(query, most, OLDEST);
      var values = new ArrayList<String>(found.scoreDocs.length);
      var stored = searcher.storedFields();
      for (var hit : found.scoreDocs) {
        values.add(stored.document(hit.doc, Set.of(field)).get(field));
      }
      return values;
    });
  }

  int count(Query query) {
    return asking(searcher -> searcher.count(query));
  }

  /// How many things can be found.
  long size() {
    return asking(searcher -> searcher.getIndexReader().numDocs());
  }

  /// Shows what was written up to now.
  void refresh() {
    try {
      searchers.maybeRefreshBlocking();
    } catch (IOException | RuntimeException failed) {
      throw folder.failed("can't be read", failed);
    }
  }

  // Many who search must not make a segment each.
  private void refreshAtTimes() {
    var now = System.nanoTime();
    if (now - refreshedAt < REFRESH.toNanos()) return;
    refreshedAt = now;
    try {
      searchers.maybeRefresh();
    } catch (IOException | RuntimeException failed) {
      throw folder.failed("can't be read", failed);
    }
  }

  @FunctionalInterface
  private interface Question<T> {
    T ask(IndexSearcher searcher) throws IOException;
  }

  private <T> T asking(Question<T> question) {
    try {
      var searcher = searchers.acquire();
      try {
        return question.ask(searcher);
      } finally {
        searchers.release(searcher);
      }
    } catch (IOException | RuntimeException failed) {
      throw folder.failed("can't be read", failed);
    }
  }

  @Override
  public void close() throws IOException {
    searchers.close();
  }
}
