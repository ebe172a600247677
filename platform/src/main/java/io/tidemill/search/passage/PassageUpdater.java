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

/// Updates the passages of an index from its pages, a few pages at a time; the only writer of the
/// passages.
///
/// It may be killed at any moment: the next one continues at the last commit.
public final class PassageUpdater implements AutoCloseable {
  /// The version of the cutting: another one makes all passages anew.
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

  /// Identifies how passages are made: only vectors of one method can be compared.
  public static String method(Embedder embedder) {
    return embedder.model() + METHOD;
  }

  private SearchException failure(IOException failed) {
    return new SearchException("the passages of " + index + " can't be written: " + failed, failed);
  }

  /// Updates and commits the passages of the next pages.
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
      // The pages were restored from an older copy: numbers stand for other changes now.
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

  /// Drops passages of pages whose removal was missed: tombstones are kept for a day only, and an
  /// older copy that was restored lacks later pages. Always returns false.
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
      // Crawled again with the same text: nothing to compute.
      if (!known.get(i)) put(came.get(i));
    }
  }

  private void put(PageChangeLog.Text page) throws IOException, InterruptedException {
    passages.put(
        page, embedder.passages(page.title(), page.main(), EmbeddingPriority.PAGE, () -> stopping));
  }

  /// Ends the current round early; the next one repeats it. No interrupt: that would close the
  /// files of the index.
  public void stop() {
    stopping = true;
  }

  /// The number of the last change of the pages.
  public long newest() {
    return read(view -> new PageChangeLog(view.reader()).last());
  }

  /// The number of changes that are still to be processed.
  public long behind() {
    return read(view -> PassageStats.behind(new PageChangeLog(view.reader()), passages.progress()));
  }

  private long read(IndexViews.Reading<Long> reading) {
    try {
      return pages.read(reading).orElse(0L);
    } catch (IOException failed) {
      throw failure(failed);
    }
  }

  /// Drops all passages, so that the next rounds make them anew.
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
