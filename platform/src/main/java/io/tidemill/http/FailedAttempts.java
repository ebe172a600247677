package io.tidemill.http;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;

/// Counts wrong keys per address and minute; remembers a bounded number of addresses.
final class FailedAttempts {
  static final int ALLOWED = 20;
  static final Duration WINDOW = Duration.ofMinutes(1);
  private static final int ADDRESSES = 10_000;

  private record Window(Instant endsAt, int failures) {}

  private final InstantSource clock;
  private final LinkedHashMap<String, Window> windows = new LinkedHashMap<>();

  FailedAttempts(InstantSource clock) {
    this.clock = clock;
  }

  synchronized void add(String address) {
    var now = clock.instant();
    var window = windows.get(address);
    if (window == null || !window.endsAt().isAfter(now)) {
      windows.remove(address); // put again at the end: the oldest window stays first
      window = new Window(now.plus(WINDOW), 0);
      if (windows.size() >= ADDRESSES) windows.pollFirstEntry();
    }
    windows.put(address, new Window(window.endsAt(), window.failures() + 1));
  }

  /// Seconds until this address may try again; 0 = now.
  synchronized long secondsToWait(String address) {
    var window = windows.get(address);
    if (window == null || window.failures() <= ALLOWED) return 0;
    var left = Duration.between(clock.instant(), window.endsAt());
    return left.isPositive() ? left.plusMillis(999).toSeconds() : 0;
  }
}
