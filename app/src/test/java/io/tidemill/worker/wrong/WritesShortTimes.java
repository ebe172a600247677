package io.tidemill.worker.wrong;

import java.time.Instant;

/// Writes a time with as many digits as it happens to need; never called.
public final class WritesShortTimes {
  private WritesShortTimes() {}

  static String text(Instant at) {
    return at.toString();
  }
}
