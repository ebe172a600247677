package io.tidemill.store.search.things;

import io.tidemill.store.search.SearchException;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.index.IndexFormatTooOldException;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexWriterConfig.OpenMode;
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
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.LockObtainFailedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Everything that can be found, in a folder of its own: written by one thread, searched by many.
///
/// It has at most so many things; the oldest are forgotten. What its writer knows of its sources is
/// a part of each commit: whoever goes on after a crash reads the last few again.
///
/// Every method may throw [SearchException].
public final class ThingIndex implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ThingIndex.class);
  private static final double BUFFER_MB = 16;
  private static final Duration LIMIT = Duration.ofSeconds(2);
  private static final Duration REFRESH = Duration.ofMillis(300);
  private static final int MOST_IDS = 1_000_000;

  // So much more than must be is forgotten at once: it is not worth a search for each.
  private static final int SLACK = 50;

  private static final Sort BEST =
      new Sort(SortField.FIELD_SCORE, new SortField(ThingFields.AT, SortField.Type.LONG, true));
  private static final Sort OLDEST =
      new Sort(new SortField(ThingFields.AT, SortField.Type.LONG, false));

  private final Path dir;
  private final int keep;
  private final FSDirectory directory;
  private final IndexWriter writer;
  private final SearcherManager searchers;
  private final Map<String, String> marks;
  private volatile long refreshedAt = System.nanoTime() - REFRESH.toNanos();
  private boolean changed;

  /// Opens it, or makes an empty one; what is damaged is dropped, for it is only a copy.
  ///
  /// @param keep most things
  /// @param anew whether what is there is dropped in any case
  /// @throws SearchException when another process writes there, or the folder can't be used
  public ThingIndex(Path dir, int keep, boolean anew) {
    this.dir = dir;
    this.keep = keep;
    IndexWriter opened = null;
    FSDirectory folder = null;
    try {
      folder = FSDirectory.open(dir);
      directory = folder;
      var known = anew ? dropped() : marks();
      opened = new IndexWriter(directory, config(known.isEmpty()));
      writer = opened;
      marks = known;
      searchers = new SearcherManager(writer, null);
    } catch (LockObtainFailedException taken) {
      abandon(opened, folder);
      throw new SearchException("another process keeps the index in " + dir, taken);
    } catch (IOException failed) {
      abandon(opened, folder);
      throw failed("can't be opened", failed);
    }
  }

  private static IndexWriterConfig config(boolean anew) {
    var config = new IndexWriterConfig(ThingWords.ANALYZER);
    config.setRAMBufferSizeMB(BUFFER_MB);
    config.setCommitOnClose(false);
    config.setMergeScheduler(new QuietMerges());
    if (anew) config.setOpenMode(OpenMode.CREATE);
    return config;
  }

  private static void abandon(@Nullable IndexWriter opened, @Nullable FSDirectory folder) {
    try (folder) {
      if (opened != null) opened.rollback();
    } catch (IOException failed) {
      log.debug("the index ended badly: {}", failed.toString());
    }
  }

  // What the last commit says; nothing when there is none that can be read.
  private Map<String, String> marks() throws IOException {
    if (!DirectoryReader.indexExists(directory)) return Map.of();
    // Opens every file: what was cut or is gone is noticed here, not in the middle of a round.
    try (var reader = DirectoryReader.open(directory)) {
      return Map.copyOf(reader.getIndexCommit().getUserData());
    } catch (CorruptIndexException
        | IndexFormatTooNewException
        | IndexFormatTooOldException
        | EOFException
        | FileNotFoundException
        | NoSuchFileException damaged) {
      log.warn("the index in {} is damaged and made anew: {}", dir, damaged.toString());
      return dropped();
    }
  }

  // Lucene makes no new index where it can't read the old one.
  private Map<String, String> dropped() throws IOException {
    try (var _ = directory.obtainLock(IndexWriter.WRITE_LOCK_NAME)) {
      for (var file : directory.listAll()) {
        if (!file.equals(IndexWriter.WRITE_LOCK_NAME)) directory.deleteFile(file);
      }
    }
    return Map.of();
  }

  /// What [#commit] noted the last time before this index was opened.
  public Map<String, String> marks(String prefix) {
    var some = new HashMap<String, String>();
    marks.forEach((name, value) -> {
      if (name.startsWith(prefix)) some.put(name.substring(prefix.length()), value);
    });
    return some;
  }

  /// Puts a thing in the place of what there is of it.
  public void put(Thing thing) {
    writing(() -> {
      writer.updateDocument(ThingFields.key(thing.kind(), thing.id()), ThingFields.document(thing));
    });
  }

  public void remove(String kind, String id) {
    writing(() -> writer.deleteDocuments(ThingFields.key(kind, id)));
  }

  private void writing(Change change) {
    try {
      change.make();
      changed = true;
    } catch (IOException | RuntimeException failed) {
      throw failed("was not written", failed);
    }
  }

  @FunctionalInterface
  private interface Change {
    void make() throws IOException;
  }

  /// Whether something was put or removed since the last commit.
  public boolean isChanged() {
    return changed;
  }

  /// Makes everything so far durable and visible, together with these notes.
  public void commit(Map<String, String> notes) {
    try {
      searchers.maybeRefreshBlocking();
      trim();
      writer.setLiveCommitData(notes.entrySet());
      writer.commit();
      searchers.maybeRefreshBlocking();
      changed = false;
    } catch (IOException | RuntimeException failed) {
      throw failed("was not written", failed);
    }
  }

  private void trim() throws IOException {
    var over = size() - keep;
    if (over <= 0) return;
    var most = (int) Math.min(over + keep / SLACK, Integer.MAX_VALUE / 2);
    asking(searcher -> {
      var oldest = searcher.search(MatchAllDocsQuery.INSTANCE, most, OLDEST);
      var stored = searcher.storedFields();
      for (var hit : oldest.scoreDocs) {
        var key = stored.document(hit.doc, Set.of(ThingFields.KEY)).get(ThingFields.KEY);
        writer.deleteDocuments(new Term(ThingFields.KEY, key));
      }
      return oldest;
    });
  }

  /// Forgets those whose time is over.
  public void expire(long now) {
    var over = LongPoint.newRangeQuery(ThingFields.UNTIL, 1, now);
    if (asking(searcher -> searcher.count(over)) == 0) return;
    writing(() -> writer.deleteDocuments(over));
  }

  /// How many things can be found.
  public long size() {
    return asking(searcher -> searcher.getIndexReader().numDocs());
  }

  /// Finds things.
  ///
  /// @param text an id, its beginning, or words; empty for everything
  /// @param kind empty for all
  public ThingAnswer search(String text, String kind, int limit) {
    var began = System.nanoTime();
    refresh();
    return asking(searcher -> {
      var query = new ThingQuery(text, kind);
      var found = search(searcher, query.strict(), limit);
      var loose = query.loose();
      if (found.totalHits.value() == 0 && loose.isPresent()) {
        found = search(searcher, loose.get(), limit);
      }
      var hits = new ArrayList<Thing>();
      var stored = searcher.storedFields();
      for (var hit : found.scoreDocs) {
        hits.add(shown(ThingFields.thing(stored.document(hit.doc)), query.words()));
      }
      var took = Duration.ofNanos(System.nanoTime() - began).toMillis();
      var indexed = searcher.getIndexReader().numDocs();
      return new ThingAnswer(hits, found.totalHits.value(), took, indexed);
    });
  }

  private static TopFieldDocs search(IndexSearcher shared, Query query, int limit)
      throws IOException {
    // One of its own: a limit of time belongs to a searcher, not to a search.
    var searcher = new IndexSearcher(shared.getIndexReader());
    searcher.setTimeout(new QueryTimeoutImpl(LIMIT.toMillis()));
    return searcher.search(query, new TopFieldCollectorManager(BEST, limit, Integer.MAX_VALUE));
  }

  private static Thing shown(Thing thing, List<String> words) {
    return new Thing(
        thing.kind(),
        thing.id(),
        thing.title(),
        Snippet.of(thing.text(), words),
        thing.status(),
        thing.at(),
        thing.source(),
        thing.until());
  }

  /// A thing as it was put, a moment ago too.
  public Optional<Thing> find(String kind, String id) {
    return reading(searcher -> {
      var found = searcher.search(new TermQuery(ThingFields.key(kind, id)), 1);
      if (found.scoreDocs.length == 0) return Optional.empty();
      var document = searcher.storedFields().document(found.scoreDocs[0].doc);
      return Optional.of(ThingFields.thing(document));
    });
  }

  /// The ids of those with this status.
  public List<String> withStatus(String kind, String status) {
    return ids(kind, new Term(ThingFields.STATUS, Thing.cut(status, 100)));
  }

  /// The ids of those that lie there.
  public List<String> ofSource(String kind, String source) {
    return ids(kind, new Term(ThingFields.SOURCE, source));
  }

  private List<String> ids(String kind, Term also) {
    var query =
        new BooleanQuery.Builder()
            .add(new TermQuery(new Term(ThingFields.KIND, kind)), Occur.FILTER)
            .add(new TermQuery(also), Occur.FILTER)
            .build();
    return reading(searcher -> {
      var found = searcher.search(query, MOST_IDS, OLDEST);
      var ids = new ArrayList<String>(found.scoreDocs.length);
      var stored = searcher.storedFields();
      for (var hit : found.scoreDocs) {
        ids.add(stored.document(hit.doc, Set.of(ThingFields.ID)).get(ThingFields.ID));
      }
      return ids;
    });
  }

  // Many who search must not make a segment each.
  private void refresh() {
    var now = System.nanoTime();
    if (now - refreshedAt < REFRESH.toNanos()) return;
    refreshedAt = now;
    try {
      searchers.maybeRefresh();
    } catch (IOException | RuntimeException failed) {
      throw failed("can't be read", failed);
    }
  }

  @FunctionalInterface
  private interface Question<T> {
    T ask(IndexSearcher searcher) throws IOException;
  }

  private <T> T reading(Question<T> question) {
    try {
      searchers.maybeRefreshBlocking();
    } catch (IOException | RuntimeException failed) {
      throw failed("can't be read", failed);
    }
    return asking(question);
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
      throw failed("can't be read", failed);
    }
  }

  private SearchException failed(String what, Exception cause) {
    if (cause instanceof SearchException known) return known;
    var why = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    return new SearchException("the index in " + dir + " " + what + ": " + why, cause);
  }

  /// Drops what was not committed.
  @Override
  public void close() {
    try (directory;
        searchers) {
      writer.rollback();
    } catch (IOException failed) {
      log.debug("the index in {} did not close cleanly: {}", dir, failed.toString());
    }
  }

  /// A failed merge is noticed by the next commit; until then it is worth a line, not a crash.
  private static final class QuietMerges extends ConcurrentMergeScheduler {
    @Override
    protected void handleMergeException(Throwable failed) {
      log.warn("merging the index failed: {}", failed.toString());
    }
  }
}
