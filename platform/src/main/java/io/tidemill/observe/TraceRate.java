package io.tidemill.observe;

import java.util.concurrent.atomic.AtomicLong;

/// Lets so many a second pass; who does not use them up may pass a second's worth at once.
final class TraceRate {
  private static final long SECOND = 1_000_000_000L;

  private final long interval;
  // When the last of those that passed would have had its turn.
  private final AtomicLong turn;

  /// @param perSecond 0 = nobody passes
  TraceRate(int perSecond, long now) {
    interval = perSecond == 0 ? 0 : SECOND / perSecond;
    turn = new AtomicLong(now - SECOND);
  }

  /// Whether one may pass.
  ///
  /// @param now in nanoseconds, from any beginning
  boolean pass(long now) {
    if (interval == 0) return false;
    while (true) {
      var last = turn.get();
      var next = (last - (now - SECOND) > 0 ? last : now - SECOND) + interval;
      if (next - now > 0) return false; // what most get at full load: one read, nothing written
      if (turn.compareAndSet(last, next)) return true;
    }
  }
}
