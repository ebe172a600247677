package io.tidemill.search.index;

import io.tidemill.lucene.LanguageAnalyzers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexNotFoundException;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.store.FSDirectory;
import org.jspecify.annotations.Nullable;

/// The states of an index that another process may be writing: each search sees one of them.
public final class IndexViews implements AutoCloseable {
  private static final int MAX_LANGUAGES = 4;

  private final Path dir;
  private final long refreshNanos;
  private @Nullable View current;
  private long lookedAt;

  public IndexViews(Path dir, Duration refresh) {
    this.dir = dir;
    this.refreshNanos = refresh.toNanos();
  }

  /// One state of the index; to be closed after use.
  ///
  /// @param languages by whose rules its pages are analysed, the most frequent first
  public record View(DirectoryReader reader, List<String> languages) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      reader.decRef();
    }
  }

  /// The state of now, or of a moment ago; empty as long as nobody has made an index.
  public Optional<View> view() throws IOException {
    var view = fresh();
    return Optional.ofNullable(view);
  }

  private synchronized @Nullable View fresh() throws IOException {
    var now = System.nanoTime();
    if (current == null || now - lookedAt >= refreshNanos) {
      refresh();
      lookedAt = now;
    }
    if (current != null) current.reader().incRef();
    return current;
  }

  private void refresh() throws IOException {
    var before = current;
    if (before == null) {
      current = open();
      return;
    }
    try {
      var newer = DirectoryReader.openIfChanged(before.reader());
      if (newer == null) return;
      current = new View(newer, languages(newer));
    } catch (IndexNotFoundException | java.nio.file.NoSuchFileException gone) {
      current = open();
    } catch (IllegalStateException replaced) {
      // The folder holds another index now, not a later state of the one that we know.
      current = open();
    }
    before.close();
  }

  private @Nullable View open() throws IOException {
    if (!Files.isDirectory(dir)) return null;
    try {
      var reader = DirectoryReader.open(FSDirectory.open(dir));
      return new View(reader, languages(reader));
    } catch (IndexNotFoundException notYet) {
      return null;
    }
  }

  private static List<String> languages(IndexReader reader) throws IOException {
    var counts = new HashMap<String, Integer>();
    for (var leaf : reader.leaves()) {
      var terms = leaf.reader().terms(PageFields.RULES);
      if (terms == null) continue;
      var at = terms.iterator();
      for (var term = at.next(); term != null; term = at.next()) {
        counts.merge(term.utf8ToString(), at.docFreq(), Integer::sum);
      }
    }
    var order = Map.Entry.<String, Integer>comparingByValue().reversed();
    var found = counts.entrySet().stream().sorted(order).map(Map.Entry::getKey);
    var languages = found.limit(MAX_LANGUAGES).toList();
    return languages.isEmpty() ? List.of(LanguageAnalyzers.ENGLISH) : languages;
  }

  @Override
  public synchronized void close() throws IOException {
    if (current != null) current.close();
    current = null;
  }
}
