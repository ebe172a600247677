package io.tidemill.work;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/// Growing pauses between tries, with jitter so that many who failed together do not return
/// together.
///
/// @param first the pause after the first failure, before jitter
/// @param most no pause is longer
public record Backoff(Duration first, Duration most) {
  /// The pause after that many failures in a row: between half of it and all of it.
  public Duration after(int failures, RandomGenerator random) {
    var doublings = Math.min(30, Math.max(0, failures - 1));
    var full = Math.min(most.toMillis(), first.toMillis() << doublings);
    return Duration.ofMillis(full / 2 + random.nextLong(full / 2 + 1));
  }

  /// Sleeps for that long; an interrupt ends the sleep and stays.
  public void pause(int failures) {
    try {
      Thread.sleep(after(failures, ThreadLocalRandom.current()));
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }
}
