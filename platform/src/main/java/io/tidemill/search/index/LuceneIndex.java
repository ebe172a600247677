package io.tidemill.search.index;

import io.tidemill.lucene.SearchException;
import io.tidemill.search.PageChange;
import io.tidemill.search.PageIndex;
import io.tidemill.search.SearchConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.LockObtainFailedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A Lucene index of pages on the local disk; the only writer of its folder.
///
/// A batch is one commit, all or nothing (F37). After a failure the next batch starts from the last
/// commit, and succeeds as soon as the disk works again.
public final class LuceneIndex implements PageIndex {
  private static final Logger log = LoggerFactory.getLogger(LuceneIndex.class);

  /// Smaller batches are written by one thread.
  private static final int WORTH_SHARING = 8;

  private static final Duration PURGE_EVERY = Duration.ofMinutes(10);

  private final Path dir;
  private final SearchConfig config;
  private final InstantSource clock;
  private final ExecutorService threads;
  private @Nullable OpenIndex open;
  private volatile String id = "";
  private Instant purgedAt = Instant.MIN;

  /// Opens or creates the index; what a killed process left uncommitted is dropped.
  ///
  /// @throws SearchException when the folder can't be used, or another process writes there
  public LuceneIndex(Path dir, SearchConfig config, InstantSource clock) {
    this.dir = dir;
    this.config = config;
    this.clock = clock;
    this.open = open();
    this.threads = Executors.newFixedThreadPool(config.threads(), LuceneIndex::thread);
  }

  private static Thread thread(Runnable work) {
    return Thread.ofPlatform().daemon().name("index").unstarted(work);
  }

  @Override
  public synchronized void apply(List<PageChange> changes) {
    if (changes.isEmpty()) return;
    try {
      var index = usable();
      var newer = latest(index, changes);
      if (newer.isEmpty()) return;
      write(index, newer);
      purge(index);
      index.commit(clock.millis());
    } catch (IOException | RuntimeException failed) {
      abandon();
      throw failed instanceof SearchException known ? known : failed("was not written", failed);
    }
  }

  /// What the index is known by, wherever its folder is.
  public String id() {
    return id;
  }

  private OpenIndex usable() {
    var index = open;
    if (index != null && !index.isOpen()) {
      // A failed background merge, on a full disk for example, closes the writer.
      abandon();
      index = null;
    }
    if (index == null) index = open = open();
    return index;
  }

  private OpenIndex open() {
    try {
      var index = OpenIndex.in(FSDirectory.open(dir), clock.millis());
      id = index.id();
      return index;
    } catch (LockObtainFailedException taken) {
      throw new SearchException("another process is writing the index in " + dir, taken);
    } catch (CorruptIndexException damaged) {
      throw failed("is damaged (" + damaged.getMessage() + ")", damaged);
    } catch (IOException failed) {
      throw failed("can't be opened", failed);
    }
  }

  /// The latest change of each URL, unless the index has a newer version (F38).
  private static List<PageChange> latest(OpenIndex index, List<PageChange> changes)
      throws IOException {
    var byId = new LinkedHashMap<String, PageChange>();
    for (var change : changes) byId.merge(PageFields.id(change.url()), change, LuceneIndex::later);
    var known = index.versions(byId.keySet());
    var left = new ArrayList<PageChange>(byId.size());
    byId.forEach((id, change) -> {
      var version = known.get(id);
      if (version == null || version <= PageFields.version(change.at())) left.add(change);
    });
    return left;
  }

  private static PageChange later(PageChange one, PageChange other) {
    return PageFields.version(other.at()) >= PageFields.version(one.at()) ? other : one;
  }

  private void write(OpenIndex index, List<PageChange> changes) throws IOException {
    if (changes.size() < WORTH_SHARING || config.threads() == 1) {
      for (var change : changes) write(index, change);
      return;
    }
    var next = new AtomicInteger();
    var shares = new ArrayList<Future<?>>();
    for (var i = 0; i < config.threads(); i++) {
      shares.add(
          threads.submit(() -> {
            for (int at = next.getAndIncrement();
                at < changes.size();
                at = next.getAndIncrement()) {
              write(index, changes.get(at));
            }
            return null;
          }));
    }
    await(shares);
  }

  private static void await(List<Future<?>> shares) throws IOException {
    IOException failure = null;
    var interrupted = false;
    for (var share : shares) {
      while (true) {
        try {
          share.get();
          break;
        } catch (ExecutionException failed) {
          failure = new IOException(failed.getCause());
          break;
        } catch (InterruptedException stop) {
          // Waits on: no write may still run when this returns.
          interrupted = true;
        }
      }
    }
    if (interrupted) Thread.currentThread().interrupt();
    if (failure != null) throw failure;
  }

  private void write(OpenIndex index, PageChange change) throws IOException {
    switch (change) {
      case PageChange.Put(var page) ->
          index.put(page.url(), PageFields.document(page, index.nextSeq()));
      case PageChange.Remove removal ->
          index.put(removal.url(), PageFields.tombstone(removal, clock.instant(), index.nextSeq()));
    }
  }

  /// Drops old tombstones: no late message is expected any more.
  private void purge(OpenIndex index) throws IOException {
    var now = clock.instant();
    if (now.isBefore(purgedAt.plus(PURGE_EVERY)) && !now.isBefore(purgedAt)) return;
    purgedAt = now;
    var before = now.minus(config.forgetRemovals()).toEpochMilli();
    index.forget(LongPoint.newRangeQuery(PageFields.GONE, Long.MIN_VALUE, before));
  }

  private void abandon() {
    var index = open;
    open = null;
    if (index != null) index.rollback();
  }

  private SearchException failed(String what, Exception cause) {
    var why = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    return new SearchException("the index in " + dir + " " + what + ": " + why, cause);
  }

  @Override
  public synchronized void close() {
    threads.shutdown();
    var index = open;
    open = null;
    if (index == null) return;
    try {
      index.close();
    } catch (IOException failed) {
      // Nothing is lost: every confirmed batch is committed.
      log.warn("the index in {} did not close cleanly: {}", dir, failed.getMessage());
    }
  }
}
