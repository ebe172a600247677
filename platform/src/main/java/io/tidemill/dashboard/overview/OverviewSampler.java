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

/// Samples the overview for all watchers together, and not at all while there are none.
public final class OverviewSampler implements Service {
  private static final Logger log = LoggerFactory.getLogger(OverviewSampler.class);
  private static final Duration EVERY = Duration.ofSeconds(2);
  private static final Duration FRESH = Duration.ofSeconds(1);

  /// @param jobs key of the job stream
  public record Settings(String version, String jobs, int maxWaitingJobs, double maxMemory) {}

  /// One overview as JSON.
  record Sample(long number, String json) {}

  private final OverviewInspector inspector;
  private final HiddenBacklog backlog;
  private final Settings settings;
  private final Runnable whenIdle;
  private final CounterRates rates = new CounterRates();
  private final ReentrantLock sampling = new ReentrantLock();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private @Nullable Sample latest;
  private long latestAt;
  private int watchers;
  private @Nullable Thread thread;
  private boolean stopped;

  /// @param memory share of Redis' memory in use
  /// @param whenIdle called when the last watcher has gone
  public OverviewSampler(
      OverviewInspector inspector,
      FrontierInspector frontier,
      DoubleSupplier memory,
      Settings settings,
      Runnable whenIdle) {
    this.inspector = inspector;
    backlog =
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
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// The overview, at most a second old.
  String now() throws InterruptedException {
    sampling.lockInterruptibly();
    try {
      var last = latest;
      if (last != null && System.nanoTime() - latestAt < FRESH.toNanos()) return last.json();
      return sample().json();
    } finally {
      sampling.unlock();
    }
  }

  private Sample sample() throws InterruptedException {
    var found = inspector.take();
    rates.add(System.nanoTime(), ChannelCounters.of(found));
    var tree = new OverviewView(found, backlog, rates).tree(settings.version(), settings.jobs());
    lock.lock();
    try {
      var next = new Sample(latest == null ? 1 : latest.number() + 1, Json.text(tree));
      latest = next;
      latestAt = System.nanoTime();
      changed.signalAll();
      return next;
    } finally {
      lock.unlock();
    }
  }

  /// Adds a watcher, until it is closed.
  Watch watch() {
    lock.lock();
    try {
      if (watchers++ == 0) startSampling();
      return new Watch();
    } finally {
      lock.unlock();
    }
  }

  private void startSampling() {
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
      // asked to stop
    }
  }

  // A watcher that arrives after this starts another thread.
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

  /// A watcher.
  final class Watch implements AutoCloseable {
    private long seen;

    /// The next overview that it has not seen; null when none comes in time.
    @Nullable String next(Duration patience) throws InterruptedException {
      var nanos = patience.toNanos();
      lock.lock();
      try {
        while (latest == null || latest.number() == seen || isOld()) {
          if (nanos <= 0 || stopped) return null;
          nanos = changed.awaitNanos(nanos);
        }
        seen = latest.number();
        return latest.json();
      } finally {
        lock.unlock();
      }
    }

    // left over from earlier watchers
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
