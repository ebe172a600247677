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

/// Searches the record index while it is written.
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

  RecordSearchResult search(String text, String kind, int limit) {
    var began = System.nanoTime();
    refreshIfStale();
    return read(searcher -> {
      var query = new RecordQuery(text, kind);
      var found = search(searcher, query.strict(), limit);
      var loose = query.loose();
      if (found.totalHits.value() == 0 && loose.isPresent()) {
        found = search(searcher, loose.get(), limit);
      }
      var hits = new ArrayList<IndexedRecord>();
      var stored = searcher.storedFields();
      for (var hit : found.scoreDocs) {
        hits.add(withSnippet(RecordFields.record(stored.document(hit.doc)), query.words()));
      }
      var took = Duration.ofNanos(System.nanoTime() - began).toMillis();
      var indexed = searcher.getIndexReader().numDocs();
      return new RecordSearchResult(hits, found.totalHits.value(), took, indexed);
    });
  }

  private static TopFieldDocs search(IndexSearcher shared, Query query, int limit)
      throws IOException {
    // A new searcher, because a timeout belongs to the searcher and not to the search.
    var searcher = new IndexSearcher(shared.getIndexReader());
    searcher.setTimeout(new QueryTimeoutImpl(LIMIT.toMillis()));
    return searcher.search(query, new TopFieldCollectorManager(BEST, limit, Integer.MAX_VALUE));
  }

  private static IndexedRecord withSnippet(IndexedRecord record, List<String> words) {
    return new IndexedRecord(
        record.kind(),
        record.id(),
        record.title(),
        RecordSnippet.of(record.text(), words),
        record.status(),
        record.at(),
        record.source(),
        record.until());
  }

  /// A record, including uncommitted changes.
  Optional<IndexedRecord> find(String kind, String id) {
    refresh();
    return read(searcher -> {
      var found = searcher.search(new TermQuery(RecordFields.key(kind, id)), 1);
      if (found.scoreDocs.length == 0) return Optional.empty();
      var document = searcher.storedFields().document(found.scoreDocs[0].doc);
      return Optional.of(RecordFields.record(document));
    });
  }

  /// The ids of a kind's records with this term.
  List<String> ids(String kind, Term term) {
    var query =
        new BooleanQuery.Builder()
            .add(new TermQuery(new Term(RecordFields.KIND, kind)), Occur.FILTER)
            .add(new TermQuery(term), Occur.FILTER)
            .build();
    refresh();
    return oldest(query, MOST_IDS, RecordFields.ID);
  }

  /// The keys of the oldest records.
  List<String> oldest(int most) {
    return oldest(MatchAllDocsQuery.INSTANCE, most, RecordFields.KEY);
  }

  private List<String> oldest(Query query, int most, String field) {
    return read(searcher -> {
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
    return read(searcher -> searcher.count(query));
  }

  /// The number of records.
  long size() {
    return read(searcher -> searcher.getIndexReader().numDocs());
  }

  /// Makes all changes visible.
  void refresh() {
    try {
      searchers.maybeRefreshBlocking();
    } catch (IOException | RuntimeException failed) {
      throw folder.failed("can't be read", failed);
    }
  }

  // Not for each search: every refresh writes a segment.
  private void refreshIfStale() {
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

  private <T> T read(Question<T> question) {
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
