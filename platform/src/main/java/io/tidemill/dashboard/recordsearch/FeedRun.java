package io.tidemill.dashboard.recordsearch;

import io.tidemill.lucene.SearchException;
import io.tidemill.recordsearch.RecordIndex;
import io.tidemill.work.Backoff;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs a feed and reopens it after failures: a missing server delays no other feed, and a failed
/// poll is repeated from the last checkpoint.
final class FeedRun implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(FeedRun.class);
  private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(2), Duration.ofSeconds(30));

  private final String name;
  private final RecordSources.Opening opening;
  private volatile @Nullable RecordFeed feed;
  private volatile long behind;
  private volatile long skipped;
  private Map<String, String> checkpoint;
  private long skippedBefore;
  private int failures;
  private long pausedUntil = System.nanoTime();
  private volatile boolean stopping;

  FeedRun(String name, RecordSources.Opening opening, Map<String, String> checkpoint) {
    this.name = name;
    this.opening = opening;
    this.checkpoint = checkpoint;
  }

  String name() {
    return name;
  }

  int poll(RecordIndex index, Duration patience) {
    if (System.nanoTime() - pausedUntil < 0) return 0;
    try {
      var open = feed;
      if (open == null) feed = open = opening.open(checkpoint, index);
      var seen = open.poll(index, patience);
      checkpoint = open.checkpoint();
      behind = open.behind();
      skipped = skippedBefore + open.skipped();
      failures = 0;
      return seen;
    } catch (SearchException indexFailed) {
      throw indexFailed;
    } catch (RuntimeException failed) {
      fail(failed);
      return 0;
    }
  }

  private void fail(RuntimeException why) {
    close();
    skippedBefore = skipped;
    failures++;
    pausedUntil =
        System.nanoTime() + BACKOFF.after(failures, ThreadLocalRandom.current()).toNanos();
    if (stopping) return;
    if (failures == 1)
      log.warn("changes of {} can't be indexed for now: {}", name, why.getMessage());
    else log.debug("{}", name, why);
  }

  Map<String, String> checkpoint() {
    return checkpoint;
  }

  long behind() {
    return behind;
  }

  long skipped() {
    return skipped;
  }

  /// Ends a poll that waits.
  void stop() {
    stopping = true;
    var open = feed;
    if (open != null) open.wake();
  }

  @Override
  public void close() {
    var open = feed;
    feed = null;
    if (open == null) return;
    try {
      open.close();
    } catch (RuntimeException failed) {
      log.debug("{} did not close cleanly: {}", name, failed.toString());
    }
  }
}
