package io.tidemill.service;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Stops a thread once, and wakes it when it waits.
public final class StopSignal {
  private final CountDownLatch stopping = new CountDownLatch(1);

  public void stop() {
    stopping.countDown();
  }

  public boolean isStopping() {
    return stopping.getCount() == 0;
  }

  /// Waits for this time or until the stop; an interrupt counts as one.
  public void rest(Duration time) {
    try {
      var _ = stopping.await(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException stop) {
      stop();
    }
  }
}
