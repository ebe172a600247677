package io.tidemill.search.passage;

import io.tidemill.lucene.SearchDeadline;
import io.tidemill.search.index.IndexViews;
import io.tidemill.search.index.PageChangeLog;
import io.tidemill.search.index.PageFields;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Searches passages by vector, in an index that this process or another one writes.
public final class PassageSearch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PassageSearch.class);

  private final Path dir;
  private final String method;
  private final IndexViews views;
  private volatile boolean complained;

  /// @param method that made the passages; vectors of others can't be compared
  public PassageSearch(Path dir, String method, Duration refresh) {
    this.dir = dir;
    this.method = method;
    views = new IndexViews(dir, refresh);
  }

  private interface Reading<T> {
    T from(DirectoryReader reader) throws IOException;
  }

  /// Empty when there are no passages, or they can't be read: then words alone count.
  private <T> Optional<T> read(Reading<T> reading) {
    try {
      var open = views.view();
      if (open.isEmpty()) return Optional.empty();
      try (var view = open.get()) {
        var marks = view.reader().getIndexCommit().getUserData();
        if (!PassageIndex.isOf(method, marks)) return Optional.empty();
        return Optional.of(reading.from(view.reader()));
      }
    } catch (IOException | IllegalArgumentException unreadable) {
      if (!complained) log.warn("the passages in {} can't be read: {}", dir, unreadable.toString());
      complained = true;
      return Optional.empty();
    }
  }

  /// The passages nearest to a vector, the nearest first.
  ///
  /// @param pages ids of the pages to search in; null = all
  public List<NearPassage> nearest(
      float[] vector, int most, @Nullable Collection<String> pages, SearchDeadline end) {
    return read(reader -> nearest(reader, vector, most, among(pages), end)).orElse(List.of());
  }

  private static List<NearPassage> nearest(
      DirectoryReader reader, float[] vector, int most, @Nullable Query among, SearchDeadline end)
      throws IOException {
    var searcher = new IndexSearcher(reader);
    searcher.setTimeout(end);
    var query = new KnnFloatVectorQuery(PassageIndex.VECTOR, vector, most, among);
    var near = new ArrayList<NearPassage>();
    for (var hit : searcher.search(query, most).scoreDocs) {
      // Lucene scales the cosine to (1 + x) / 2.
      near.add(near(reader.storedFields().document(hit.doc), 2 * hit.score - 1));
    }
    return near;
  }

  /// Those of the pages that have no passages yet.
  ///
  /// @param index of the pages
  /// @param docs their numbers in it
  public Set<Integer> waiting(IndexReader index, Collection<Integer> docs) {
    return read(reader -> waiting(reader, index, docs)).orElse(Set.of());
  }

  private static Set<Integer> waiting(
      DirectoryReader reader, IndexReader index, Collection<Integer> docs) throws IOException {
    var progress = PassageIndex.Progress.of(reader.getIndexCommit().getUserData());
    var passages = new IndexSearcher(reader);
    var waiting = new HashSet<Integer>();
    for (var doc : docs) {
      var isRead = !PageChangeLog.isAfter(index, doc, progress.upTo(), progress.oldUpTo());
      if (!isRead && !has(passages, PageFields.id(index, doc))) waiting.add(doc);
    }
    return waiting;
  }

  // Crawled again, a page has its older passages until its new ones are made.
  private static boolean has(IndexSearcher passages, String id) throws IOException {
    return passages.count(new TermQuery(new Term(PassageIndex.ID, id))) > 0;
  }

  private static @Nullable Query among(@Nullable Collection<String> pages) {
    if (pages == null) return null;
    return new TermInSetQuery(PassageIndex.ID, pages.stream().map(BytesRef::new).toList());
  }

  private static NearPassage near(Document stored, float similarity) {
    return new NearPassage(
        text(stored, PassageIndex.ID),
        text(stored, PassageIndex.HASH),
        number(stored, PassageIndex.START),
        number(stored, PassageIndex.END),
        similarity);
  }

  private static String text(Document stored, String name) {
    var value = stored.get(name);
    return value == null ? "" : value;
  }

  private static int number(Document stored, String name) {
    var field = stored.getField(name);
    var value = field == null ? null : field.numericValue();
    return value == null ? 0 : value.intValue();
  }

  /// The number of passages and their progress; empty when there are none.
  public Optional<State> state() {
    return read(reader ->
        new State(
            reader.numDocs(), PassageIndex.Progress.of(reader.getIndexCommit().getUserData())));
  }

  public record State(long passages, PassageIndex.Progress progress) {}

  @Override
  public void close() throws IOException {
    views.close();
  }
}
