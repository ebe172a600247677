package io.tidemill.store.search;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.document.Document;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// Finds passages by their vectors, in an index that this process or another one writes.
final class PassageSearch implements AutoCloseable {
  private final Views views;

  PassageSearch(Path dir, Duration refresh) {
    views = new Views(dir, refresh);
  }

  /// The passages that are nearest to a vector, the nearest first.
  ///
  /// @param pages ids of the pages to look at; null = all
  List<Near> nearest(float[] vector, int most, @Nullable Collection<String> pages, Deadline end)
      throws IOException {
    var open = views.view();
    if (open.isEmpty()) return List.of();
    try (var view = open.get()) {
      var searcher = new IndexSearcher(view.reader());
      searcher.setTimeout(end);
      var query = new KnnFloatVectorQuery(PassageIndex.VECTOR, vector, most, among(pages));
      var near = new ArrayList<Near>();
      for (var hit : searcher.search(query, most).scoreDocs) {
        // Lucene adds 1 and halves it, so that no score is negative.
        near.add(near(view.reader().storedFields().document(hit.doc), 2 * hit.score - 1));
      }
      return near;
    }
  }

  private static @Nullable Query among(@Nullable Collection<String> pages) {
    if (pages == null) return null;
    return new TermInSetQuery(PassageIndex.ID, pages.stream().map(BytesRef::new).toList());
  }

  private static Near near(Document stored, float similarity) {
    return new Near(
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

  /// How many passages there are, and how far they have come; empty when nobody has made any.
  Optional<State> state() throws IOException {
    var open = views.view();
    if (open.isEmpty()) return Optional.empty();
    try (var view = open.get()) {
      var marks = Map.copyOf(view.reader().getIndexCommit().getUserData());
      return Optional.of(new State(view.reader().numDocs(), PassageIndex.Progress.of(marks)));
    }
  }

  record State(long passages, PassageIndex.Progress progress) {}

  @Override
  public void close() throws IOException {
    views.close();
  }
}
