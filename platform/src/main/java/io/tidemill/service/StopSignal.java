package io.tidemill.service;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Tells a thread once that it is to stop, and wakes it when it rests.
public final class StopSignal {
  private final CountDownLatch stopping = new CountDownLatch(1);

  public void stop() {
    stopping.countDown();
  }

  public boolean isStopping() {
    return stopping.getCount() == 0;
  }

  /// Waits so long, or until it is to stop; whoever is interrupted meanwhile is to stop, too.
  public void rest(Duration time) {
    try {
      var _ = stopping.await(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException stop) {
      stop();
    }
  }
}
