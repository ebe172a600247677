package io.tidemill.fetch.connection;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// The one clockwork behind all deadlines of a fetcher.
public final class DeadlineTimer implements AutoCloseable {
  private final ScheduledThreadPoolExecutor clockwork;
  private final long lastNanos;

  public DeadlineTimer(Duration last) {
    lastNanos = last.toNanos();
    var factory = Thread.ofPlatform().daemon().name("fetch-deadlines").factory();
    clockwork = new ScheduledThreadPoolExecutor(1, factory);
    clockwork.setRemoveOnCancelPolicy(true);
    // Once closed there is nothing left to end: all connections were closed before.
    clockwork.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
  }

  public FetchDeadline start() {
    var deadline = new FetchDeadline(System.nanoTime() + lastNanos);
    deadline.alarm(clockwork.schedule(deadline::expire, lastNanos, TimeUnit.NANOSECONDS));
    return deadline;
  }

  public void every(Duration pause, Runnable chore) {
    var nanos = pause.toNanos();
    var _ = clockwork.scheduleWithFixedDelay(chore, nanos, nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void close() {
    clockwork.shutdownNow();
  }
}
