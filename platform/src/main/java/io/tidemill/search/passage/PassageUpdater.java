package io.tidemill.search.passage;

import io.tidemill.embedding.Embedder;
import io.tidemill.embedding.EmbeddingPriority;
import io.tidemill.lucene.SearchException;
import io.tidemill.search.index.IndexViews;
import io.tidemill.search.index.PageChangeLog;
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
public final class PassageUpdater implements AutoCloseable {
  /// Cut otherwise, passages would have to be made anew.
  private static final String METHOD = "/1";

  private static final int PAGES = 16;

  private static final Duration SWEEP_EVERY = Duration.ofDays(1);

  private final Path index;
  private final Embedder embedder;
  private final IndexViews pages;
  private final PassageIndex passages;
  private boolean oldAreDone;
  private long sweptAt = System.nanoTime() - SWEEP_EVERY.toNanos();
  private volatile boolean stopping;

  /// @param index folder of the pages
  /// @throws SearchException when another process does the same, or the folder can't be used
  public PassageUpdater(Path index, Embedder embedder) {
    this.index = index;
    this.embedder = embedder;
    pages = new IndexViews(index, Duration.ZERO);
    try {
      passages = new PassageIndex(PassageIndex.beside(index), method(embedder));
    } catch (IOException failed) {
      throw failure(failed);
    }
  }

  /// What passages must have been made with to be compared.
  public static String method(Embedder embedder) {
    return embedder.model() + METHOD;
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
        return round(new PageChangeLog(view.reader()));
      }
    } catch (IOException failed) {
      throw failure(failed);
    }
  }

  private boolean round(PageChangeLog log) throws IOException, InterruptedException {
    if (passages.progress().upTo() > log.last()) {
      // The pages are a copy of an earlier time: numbers stand for other changes now.
      passages.rewind();
      oldAreDone = false;
    }
    return numbered(log) || unnumbered(log) || sweep(log);
  }

  private boolean numbered(PageChangeLog log) throws IOException, InterruptedException {
    var before = passages.progress();
    var changes = log.after(before.upTo(), PAGES);
    if (changes.isEmpty()) return false;
    apply(changes);
    passages.commit(new PassageIndex.Progress(changes.getLast().seq(), before.oldUpTo()));
    return true;
  }

  private boolean unnumbered(PageChangeLog log) throws IOException, InterruptedException {
    if (oldAreDone) return false;
    var before = passages.progress();
    var old = log.unnumbered(before.oldUpTo(), PAGES);
    oldAreDone = old.isEmpty();
    if (oldAreDone) return false;
    apply(old);
    passages.commit(new PassageIndex.Progress(before.upTo(), old.getLast().id()));
    return true;
  }

  /// Drops passages of pages that went without a trace: what is left of a removed page is kept for
  /// a day only, and a copy of an earlier time lacks later pages. Never says that it did anything.
  private boolean sweep(PageChangeLog log) throws IOException {
    if (System.nanoTime() - sweptAt < SWEEP_EVERY.toNanos()) return false;
    sweptAt = System.nanoTime();
    var left = 0;
    for (var id : passages.pages()) {
      if (log.has(id)) continue;
      passages.remove(id);
      left++;
    }
    if (left > 0) passages.commit(passages.progress());
    return false;
  }

  private void apply(List<PageChangeLog.Change> changes) throws IOException, InterruptedException {
    var came = new ArrayList<PageChangeLog.Text>();
    for (var change : changes) {
      var page = change.page();
      if (page.isPresent() && !page.get().isEmpty()) came.add(page.get());
      else passages.remove(change.id());
    }
    var known = passages.has(came);
    for (int i = 0; i < came.size(); i++) {
      // Crawled again and found the same: nothing to compute.
      if (!known.get(i)) put(came.get(i));
    }
  }

  private void put(PageChangeLog.Text page) throws IOException, InterruptedException {
    passages.put(
        page, embedder.passages(page.title(), page.main(), EmbeddingPriority.PAGE, () -> stopping));
  }

  /// Ends the round at hand early; what it had done is done again by the next one. Not by an
  /// interrupt: that would close the files of the index.
  public void stop() {
    stopping = true;
  }

  /// The last change of the pages, done or not.
  public long newest() {
    return read(PageChangeLog::last);
  }

  /// How many changes of pages are left to do.
  public long behind() {
    return read(log -> PassageStats.behind(log, passages.progress()));
  }

  private interface Reading {
    long from(PageChangeLog log) throws IOException;
  }

  private long read(Reading reading) {
    try {
      var open = pages.view();
      if (open.isEmpty()) return 0;
      try (var view = open.get()) {
        return reading.from(new PageChangeLog(view.reader()));
      }
    } catch (IOException failed) {
      throw failure(failed);
    }
  }

  /// Forgets all passages, so that the next rounds make them anew.
  public void clear() {
    try {
      oldAreDone = false;
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
