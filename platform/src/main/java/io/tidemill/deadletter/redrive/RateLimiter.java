package io.tidemill.deadletter.redrive;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// Keeps something from happening more often than so many times a second; who was slow may not
/// catch up.
final class RateLimiter {
  private final long step;
  private final LongSupplier nanos;
  private long nextAt;

  RateLimiter(int perSecond, LongSupplier nanos) {
    step = TimeUnit.SECONDS.toNanos(1) / perSecond;
    this.nanos = nanos;
    nextAt = nanos.getAsLong();
  }

  /// How long to wait before the next one, in nanoseconds.
  long next() {
    var now = nanos.getAsLong();
    var wait = Math.max(0, nextAt - now);
    nextAt = now + wait + step;
    return wait;
  }
}
