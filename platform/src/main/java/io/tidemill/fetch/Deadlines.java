package io.tidemill.fetch;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// The one clockwork behind all deadlines of a fetcher.
final class Deadlines implements AutoCloseable {
  private final ScheduledThreadPoolExecutor clockwork;
  private final long lastNanos;

  Deadlines(Duration last) {
    lastNanos = last.toNanos();
    var factory = Thread.ofPlatform().daemon().name("fetch-deadlines").factory();
    clockwork = new ScheduledThreadPoolExecutor(1, factory);
    clockwork.setRemoveOnCancelPolicy(true);
  }

  Deadline start() {
    var deadline = new Deadline(System.nanoTime() + lastNanos);
    if (!clockwork.isShutdown()) {
      deadline.alarm(clockwork.schedule(deadline::expire, lastNanos, TimeUnit.NANOSECONDS));
    }
    return deadline;
  }

  void every(Duration pause, Runnable chore) {
    var nanos = pause.toNanos();
    var _ = clockwork.scheduleWithFixedDelay(chore, nanos, nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void close() {
    clockwork.shutdownNow();
  }
}
