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

/// A feed from one failure to the next: a server that is away keeps no other feed waiting, and what
/// was read in a round that failed is read again.
final class FeedRun implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(FeedRun.class);
  private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(2), Duration.ofSeconds(30));

  private final String name;
  private final RecordSources.Opening opening;
  private volatile @Nullable RecordFeed feed;
  private volatile long behind;
  private volatile long skipped;
  private Map<String, String> marks;
  private long skippedBefore;
  private int failures;
  private long restUntil = System.nanoTime();
  private volatile boolean stopping;

  FeedRun(String name, RecordSources.Opening opening, Map<String, String> marks) {
    this.name = name;
    this.opening = opening;
    this.marks = marks;
  }

  String name() {
    return name;
  }

  int round(RecordIndex index, Duration patience) {
    if (System.nanoTime() - restUntil < 0) return 0;
    try {
      var open = feed;
      if (open == null) feed = open = opening.open(marks, index);
      var seen = open.round(index, patience);
      marks = open.marks();
      behind = open.behind();
      skipped = skippedBefore + open.skipped();
      failures = 0;
      return seen;
    } catch (SearchException notTheFeeds) {
      throw notTheFeeds;
    } catch (RuntimeException failed) {
      fail(failed);
      return 0;
    }
  }

  private void fail(RuntimeException why) {
    close();
    skippedBefore = skipped;
    failures++;
    restUntil = System.nanoTime() + BACKOFF.after(failures, ThreadLocalRandom.current()).toNanos();
    if (stopping) return;
    if (failures == 1) log.warn("what is new of {} can't be found yet: {}", name, why.getMessage());
    else log.debug("{}", name, why);
  }

  Map<String, String> marks() {
    return marks;
  }

  long behind() {
    return behind;
  }

  long skipped() {
    return skipped;
  }

  /// Ends a round that waits.
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
