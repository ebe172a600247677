package io.tidemill.fetch;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
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
    // Once closed there is nothing left to end: all connections were closed before.
    clockwork.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
  }

  Deadline start() {
    var deadline = new Deadline(System.nanoTime() + lastNanos);
    deadline.alarm(clockwork.schedule(deadline::expire, lastNanos, TimeUnit.NANOSECONDS));
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
