package io.tidemill.dashboard.recordsearch;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.lucene.SearchException;
import io.tidemill.recordsearch.RecordIndex;
import io.tidemill.recordsearch.RecordSearchResult;
import io.tidemill.service.Service;
import io.tidemill.service.StopSignal;
import io.tidemill.service.Unavailable;
import io.tidemill.work.Backoff;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the record index up to date in the background, and searches it.
///
/// Under load it uses a quarter of one thread; when idle, almost nothing.
public final class RecordIndexer implements Service {
  private static final Logger log = LoggerFactory.getLogger(RecordIndexer.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration COMMIT_EVERY = Duration.ofSeconds(1);
  private static final Duration EXPIRE_EVERY = Duration.ofMinutes(1);
  private static final Duration SKIPS_SHOWN = Duration.ofHours(1);
  private static final Duration STOP_WAIT = Duration.ofSeconds(10);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(2);
  private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));

  /// Ratio of pause to work.
  private static final int REST_FACTOR = 3;

  private final Path dir;
  private final int keep;
  private final RecordSources sources;
  private final InstantSource clock;
  private final StopSignal signal = new StopSignal();
  private final Thread thread = Thread.ofPlatform().name("find").unstarted(this::keep);
  private volatile @Nullable RecordIndex index;
  private volatile List<FeedRun> feeds = List.of();
  private volatile String problem = "it is being opened";
  private volatile long skips;
  private long skipsForgotten;
  private long skippedAt;
  private int failures; // in a row; used by the indexing thread only

  /// @param dir folder of the index
  public RecordIndexer(
      Path dir,
      FindConfig config,
      RecordSources sources,
      MeterRegistry metrics,
      InstantSource clock) {
    this.dir = dir;
    this.keep = config.keep();
    this.sources = sources;
    this.clock = clock;
    Gauge.builder("find.behind", this::behind)
        .description("Changes of jobs, workflows, tasks and crawls that can't be found yet")
        .register(metrics);
    Gauge.builder("find.skipped", this::skipped)
        .description("Changes of the last hour that were too many to be read")
        .register(metrics);
  }

  @Override
  public String name() {
    return "find";
  }

  @Override
  public void start() {
    thread.start();
  }

  @Override
  public void stop() {
    signal.stop();
    feeds.forEach(FeedRun::stop);
    try {
      if (thread.isAlive() && !thread.join(STOP_WAIT)) log.warn("the index is still being written");
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  /// @param kind empty for all
  /// @throws Unavailable when the index is not open
  RecordSearchResult search(String text, String kind, int limit) {
    var open = index;
    if (open == null) throw new Unavailable("nothing can be found: " + problem, RETRY_AFTER);
    try {
      return open.search(text, kind, limit);
    } catch (SearchException failed) {
      log.warn("{}", failed.getMessage());
      throw new Unavailable("the index can't be read", RETRY_AFTER, failed);
    }
  }

  /// Changes that are not indexed yet.
  long behind() {
    return feeds.stream().mapToLong(FeedRun::behind).sum();
  }

  /// Changes of the last hour that were skipped because there were too many.
  long skipped() {
    return skips;
  }

  // Continues after any failure, even an Error: without this thread nothing would be indexed.
  @SuppressWarnings("CatchingUnchecked")
  private void keep() {
    var dropExisting = false;
    while (!signal.isStopping()) {
      try (var open = new RecordIndex(dir, keep, dropExisting)) {
        dropExisting = false;
        run(open);
      } catch (SearchException failed) {
        dropExisting = failed.isDamaged();
        problem =
            failed.isTaken() ? "another process on this machine does it" : "its index is unusable";
        if (++failures == 1) log.warn("records can't be indexed for now: {}", failed.getMessage());
        signal.rest(BACKOFF.after(failures, ThreadLocalRandom.current()));
      } catch (Throwable unexpected) {
        problem = "it failed, and is tried again";
        if (++failures == 1) log.error("the record index failed", unexpected);
        signal.rest(BACKOFF.after(failures, ThreadLocalRandom.current()));
      }
    }
  }

  private void run(RecordIndex open) {
    feeds =
        sources.feeds(keep, clock).entrySet().stream()
            .map(feed ->
                new FeedRun(feed.getKey(), feed.getValue(), open.checkpoint(feed.getKey() + ".")))
            .toList();
    try {
      index = open;
      pollFeeds(open);
      if (open.isChanged()) open.commit(checkpoint());
    } finally {
      index = null;
      feeds.forEach(FeedRun::close);
    }
  }

  private void pollFeeds(RecordIndex open) {
    var idle = false;
    var committedAt = System.nanoTime();
    var expiredAt = committedAt;
    while (!signal.isStopping()) {
      var began = System.nanoTime();
      var seen = 0;
      for (var run : feeds) {
        if (!signal.isStopping()) seen += run.poll(open, idle ? PAUSE : Duration.ZERO);
      }
      countSkips();
      if (isOver(expiredAt, EXPIRE_EVERY)) {
        open.expire(clock.millis());
        expiredAt = System.nanoTime();
      }
      if (open.isChanged() && isOver(committedAt, COMMIT_EVERY)) {
        open.commit(checkpoint());
        committedAt = System.nanoTime();
      }
      failures = 0;
      idle = seen == 0;
      var took = Duration.ofNanos(System.nanoTime() - began);
      signal.rest(idle ? PAUSE.minus(took) : shorter(took.multipliedBy(REST_FACTOR), PAUSE));
    }
  }

  private static boolean isOver(long since, Duration time) {
    return System.nanoTime() - since >= time.toNanos();
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private Map<String, String> checkpoint() {
    var all = new HashMap<String, String>();
    for (var run : feeds) {
      run.checkpoint().forEach((name, value) -> all.put(run.name() + "." + name, value));
    }
    return all;
  }

  // Skipped changes are reported for an hour, not for ever.
  private void countSkips() {
    var all = feeds.stream().mapToLong(FeedRun::skipped).sum();
    if (all != skips + skipsForgotten) skippedAt = System.nanoTime();
    if (all > 0 && isOver(skippedAt, SKIPS_SHOWN)) skipsForgotten = all;
    skips = Math.max(0, all - skipsForgotten);
  }
}
