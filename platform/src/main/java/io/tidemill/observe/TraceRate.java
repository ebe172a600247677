package io.tidemill.observe;

import java.util.concurrent.atomic.AtomicLong;

/// A rate limit for new traces, with a burst of one second's worth.
final class TraceRate {
  private static final long SECOND = 1_000_000_000L;

  private final long interval;
  // The time that the last permit stands for; at most a second behind the clock.
  private final AtomicLong last;

  /// @param perSecond 0 = none
  TraceRate(int perSecond, long now) {
    interval = perSecond == 0 ? 0 : SECOND / perSecond;
    last = new AtomicLong(now - SECOND);
  }

  /// Takes a permit if there is one.
  ///
  /// @param now in nanoseconds, from any origin
  boolean tryAcquire(long now) {
    if (interval == 0) return false;
    while (true) {
      var before = last.get();
      var next = (before - (now - SECOND) > 0 ? before : now - SECOND) + interval;
      if (next - now > 0) return false; // the common case at full load: one read, no write
      if (last.compareAndSet(before, next)) return true;
    }
  }
}
