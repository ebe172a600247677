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

/// Point-in-time views of an index that another process may be writing.
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

  /// One view; to be closed after use.
  ///
  /// @param languages of its pages' analyzers, the most frequent first
  /// @param id of the index; empty in one of the time before ids
  public record View(DirectoryReader reader, List<String> languages, String id)
      implements AutoCloseable {
    @Override
    public void close() throws IOException {
      reader.decRef();
    }
  }

  /// Reads a view.
  @FunctionalInterface
  public interface Reading<T> {
    T from(View view) throws IOException;
  }

  /// Reads the current view; empty as long as there is no index.
  public <T> Optional<T> read(Reading<T> reading) throws IOException {
    var view = view();
    if (view.isEmpty()) return Optional.empty();
    try (var open = view.get()) {
      return Optional.of(reading.from(open));
    }
  }

  /// The current view, at most `refresh` old; empty as long as there is no index.
  public synchronized Optional<View> view() throws IOException {
    var now = System.nanoTime();
    if (current == null || now - lookedAt >= refreshNanos) {
      refresh();
      lookedAt = now;
    }
    if (current != null) current.reader().incRef();
    return Optional.ofNullable(current);
  }

  /// Drops the current view when the folder holds another index by now: Lucene does not always
  /// notice.
  public synchronized void dropReplaced() throws IOException {
    if (current == null || current.id().equals(OpenIndex.id(dir))) return;
    current.close();
    current = null;
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
      current = view(newer);
    } catch (IndexNotFoundException | java.nio.file.NoSuchFileException gone) {
      current = open();
    } catch (IllegalStateException replaced) {
      // The folder holds another index now, not a later commit of the same.
      current = open();
    }
    before.close();
  }

  private @Nullable View open() throws IOException {
    if (!Files.isDirectory(dir)) return null;
    try {
      var reader = DirectoryReader.open(FSDirectory.open(dir));
      return view(reader);
    } catch (IndexNotFoundException notYet) {
      return null;
    }
  }

  private static View view(DirectoryReader reader) throws IOException {
    var id = OpenIndex.id(reader.getIndexCommit().getUserData());
    return new View(reader, languages(reader), id);
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
