package io.tidemill.dashboard.overview;

import io.tidemill.crawl.FrontierInspector;
import io.tidemill.json.Json;
import io.tidemill.service.Service;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Looks at everything again and again while somebody watches: once for all who do, and not at all
/// while nobody does.
public final class OverviewSampler implements Service {
  private static final Logger log = LoggerFactory.getLogger(OverviewSampler.class);
  private static final Duration EVERY = Duration.ofSeconds(2);
  private static final Duration FRESH = Duration.ofSeconds(1);

  /// What the platform is called, and what it keeps to.
  ///
  /// @param jobs the queue's key
  public record Settings(String version, String jobs, int maxWaitingJobs, double maxMemory) {}

  /// One look, as JSON.
  ///
  /// @param number of the look
  record Sample(long number, String json) {}

  private final OverviewInspector survey;
  private final HiddenBacklog waits;
  private final Settings settings;
  private final Runnable whenIdle;
  private final CounterRates rates = new CounterRates();
  private final ReentrantLock looking = new ReentrantLock();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition news = lock.newCondition();
  private @Nullable Sample latest;
  private long latestAt;
  private int watchers;
  private @Nullable Thread thread;
  private boolean stopped;

  /// @param memory the share of Redis' memory that is in use
  /// @param whenIdle told when nobody watches any more
  public OverviewSampler(
      OverviewInspector survey,
      FrontierInspector frontier,
      DoubleSupplier memory,
      Settings settings,
      Runnable whenIdle) {
    this.survey = survey;
    waits =
        new HiddenBacklog(
            new HiddenBacklog.Limits(
                settings.maxWaitingJobs(), settings.maxMemory(), memory, frontier));
    this.settings = settings;
    this.whenIdle = whenIdle;
  }

  @Override
  public String name() {
    return "overview";
  }

  @Override
  public void start() {}

  @Override
  public void stop() {
    lock.lock();
    try {
      stopped = true;
      if (thread != null) thread.interrupt();
      news.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// How everything stands now.
  String now() throws InterruptedException {
    looking.lockInterruptibly();
    try {
      var last = latest;
      if (last != null && System.nanoTime() - latestAt < FRESH.toNanos()) return last.json();
      return look().json();
    } finally {
      looking.unlock();
    }
  }

  private Sample look() throws InterruptedException {
    var found = survey.take();
    rates.add(System.nanoTime(), ChannelCounters.of(found));
    var tree = new OverviewView(found, waits, rates).tree(settings.version(), settings.jobs());
    lock.lock();
    try {
      var next = new Sample(latest == null ? 1 : latest.number() + 1, Json.text(tree));
      latest = next;
      latestAt = System.nanoTime();
      news.signalAll();
      return next;
    } finally {
      lock.unlock();
    }
  }

  /// Somebody watches until it is closed.
  Watch watch() {
    lock.lock();
    try {
      if (watchers++ == 0) begin();
      return new Watch();
    } finally {
      lock.unlock();
    }
  }

  private void begin() {
    if (thread != null || stopped) return;
    thread = Thread.ofVirtual().name("overview").start(this::run);
  }

  private void run() {
    try {
      while (isWatched()) {
        try {
          now();
        } catch (RuntimeException unexpected) {
          log.error("the overview could not be put together", unexpected);
        }
        Thread.sleep(EVERY);
      }
      whenIdle.run();
    } catch (InterruptedException stop) {
      // It was told to.
    }
  }

  // Whoever comes in this very moment starts a new one.
  private boolean isWatched() {
    lock.lock();
    try {
      if (watchers > 0 && !stopped) return true;
      thread = null;
      return false;
    } finally {
      lock.unlock();
    }
  }

  /// One who watches.
  final class Watch implements AutoCloseable {
    private long seen;

    /// The next look that it has not seen; null when none comes within that time.
    @Nullable String next(Duration patience) throws InterruptedException {
      var nanos = patience.toNanos();
      lock.lock();
      try {
        while (latest == null || latest.number() == seen || isOld()) {
          if (nanos <= 0 || stopped) return null;
          nanos = news.awaitNanos(nanos);
        }
        seen = latest.number();
        return latest.json();
      } finally {
        lock.unlock();
      }
    }

    // From when somebody last watched.
    private boolean isOld() {
      return System.nanoTime() - latestAt > TimeUnit.SECONDS.toNanos(5);
    }

    boolean isOver() {
      lock.lock();
      try {
        return stopped;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void close() {
      lock.lock();
      try {
        watchers--;
      } finally {
        lock.unlock();
      }
    }
  }
}
