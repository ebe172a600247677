package io.tidemill.store.search;

import io.tidemill.embedding.Embedder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Brings the passages of an index up to its pages, a few pages at a time; the only writer of the
/// passages.
///
/// Nobody waits for it, and it may be killed at any moment: the next one goes on where the last
/// commit was.
public final class PassageUpdate implements AutoCloseable {
  /// Cut otherwise, passages would have to be made anew.
  private static final String METHOD = "/1";

  private static final int PAGES = 16;

  /// A text that is longer than a book is read as far as this.
  private static final int MOST_TEXT = 200_000;

  private final Path index;
  private final Embedder embedder;
  private final Views pages;
  private final PassageIndex passages;
  private volatile boolean stopping;

  /// @param index folder of the pages
  /// @throws SearchException when another process does the same, or the folder can't be used
  public PassageUpdate(Path index, Embedder embedder) {
    this.index = index;
    this.embedder = embedder;
    pages = new Views(index, Duration.ZERO);
    try {
      passages = new PassageIndex(PassageIndex.beside(index), embedder.model() + METHOD);
    } catch (IOException failed) {
      throw failure(failed);
    }
  }

  private SearchException failure(IOException failed) {
    return new SearchException("the passages of " + index + " can't be written: " + failed, failed);
  }

  /// Does the next pages, durably.
  ///
  /// @return whether there was anything to do
  /// @throws SearchException when the disk is full, say; trying again is safe
  /// @throws io.tidemill.embedding.EmbeddingException when the model can't be used
  public boolean round() throws InterruptedException {
    try {
      var open = pages.view();
      if (open.isEmpty()) return false;
      try (var view = open.get()) {
        return round(new PageLog(view.reader()));
      }
    } catch (IOException failed) {
      throw failure(failed);
    }
  }

  private boolean round(PageLog log) throws IOException, InterruptedException {
    var before = passages.progress();
    if (before.upTo() > log.last()) {
      // The pages are a copy of an earlier time: numbers stand for other changes now.
      passages.rewind();
      before = passages.progress();
    }
    var changes = log.after(before.upTo(), PAGES);
    if (!changes.isEmpty()) {
      apply(changes);
      var upTo = changes.getLast().seq();
      passages.commit(new PassageIndex.Progress(upTo, before.oldUpTo(), before.oldDone()));
      return true;
    }
    var old = log.unnumbered(before.oldUpTo(), PAGES);
    if (old.isEmpty()) return false;
    apply(old);
    var done = before.oldDone() + old.size();
    passages.commit(new PassageIndex.Progress(before.upTo(), old.getLast().id(), done));
    return true;
  }

  private void apply(List<PageLog.Change> changes) throws IOException, InterruptedException {
    var came = new ArrayList<PageDocument>();
    for (var change : changes) {
      change.page().ifPresent(came::add);
      if (change.page().isEmpty()) passages.remove(change.id());
    }
    var known = passages.has(came);
    for (int i = 0; i < came.size(); i++) {
      // Crawled again and found the same, or without a word: nothing to compute.
      if (!known.get(i) && !isEmpty(came.get(i))) put(came.get(i));
    }
  }

  private static boolean isEmpty(PageDocument page) {
    return page.title().isBlank() && page.main().isBlank();
  }

  private void put(PageDocument page) throws IOException, InterruptedException {
    var text = page.main().substring(0, Math.min(page.main().length(), MOST_TEXT));
    passages.put(page, embedder.passages(page.title(), text, () -> stopping));
  }

  /// Ends the round at hand early; what it had done is done again by the next one. Not by an
  /// interrupt: that would close the files of the index.
  public void stop() {
    stopping = true;
  }

  /// The last change of the pages, done or not.
  public long newest() {
    return read(PageLog::last);
  }

  /// How many changes of pages are left to do.
  public long behind() {
    return read(log -> PassageStats.behind(log, passages.progress()));
  }

  private interface Reading {
    long from(PageLog log) throws IOException;
  }

  private long read(Reading reading) {
    try {
      var open = pages.view();
      if (open.isEmpty()) return 0;
      try (var view = open.get()) {
        return reading.from(new PageLog(view.reader()));
      }
    } catch (IOException failed) {
      throw failure(failed);
    }
  }

  /// Forgets all passages, so that the next rounds make them anew.
  public void clear() {
    try {
      passages.clear();
    } catch (IOException failed) {
      throw failure(failed);
    }
  }

  @Override
  public void close() {
    try (passages) {
      pages.close();
    } catch (IOException failed) {
      throw failure(failed);
    }
  }
}
