package io.tidemill.http.access;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Set;

/// Counts wrong keys and cookies per address and minute, for a bounded number of addresses.
final class FailedAttempts {
  static final int ALLOWED = 20;
  static final Duration WINDOW = Duration.ofMinutes(1);
  private static final int ADDRESSES = 10_000;
  // A client has all IPv6 addresses that share the first 64 bits.
  private static final int GROUPS = 4;

  private static final class Window {
    private final Instant endsAt;
    private final Set<String> cookies = new HashSet<>();
    private int failures;

    Window(Instant endsAt) {
      this.endsAt = endsAt;
    }
  }

  private final InstantSource clock;
  private final LinkedHashMap<String, Window> windows = new LinkedHashMap<>();

  FailedAttempts(InstantSource clock) {
    this.clock = clock;
  }

  /// Counts a wrong key.
  synchronized void add(String address) {
    window(address).failures++;
  }

  /// Counts a wrong cookie once: a page that is left open repeats the same one, a guesser does not.
  synchronized void addCookie(String address, String cookie) {
    var window = window(address);
    if (window.cookies.add(cookie)) window.failures++;
  }

  private Window window(String address) {
    var now = clock.instant();
    var network = network(address);
    var window = windows.get(network);
    if (window != null && window.endsAt.isAfter(now)) return window;
    windows.remove(network); // put again at the end: the oldest window stays first
    if (windows.size() >= ADDRESSES) windows.pollFirstEntry();
    var fresh = new Window(now.plus(WINDOW));
    windows.put(network, fresh);
    return fresh;
  }

  /// Seconds until this address may try again; 0 = now.
  synchronized long secondsToWait(String address) {
    var window = windows.get(network(address));
    if (window == null || window.failures <= ALLOWED) return 0;
    var left = Duration.between(clock.instant(), window.endsAt);
    return left.isPositive() ? left.plusMillis(999).toSeconds() : 0;
  }

  private static String network(String address) {
    if (address.indexOf(':') < 0) return address;
    var groups = Arrays.asList(address.split(":", -1));
    return String.join(":", groups.subList(0, Math.min(GROUPS, groups.size())));
  }
}
