package io.tidemill.servers;

import java.time.Duration;

/// A delay that doubles each time up to a longest one.
final class GrowingDelay {

  private final Duration first;
  private final Duration longest;
  private Duration next;

  GrowingDelay(Duration first, Duration longest) {
    this.first = first;
    this.longest = longest;
    this.next = first;
  }

  Duration next() {
    var delay = next;
    var doubled = delay.multipliedBy(2);
    next = doubled.compareTo(longest) > 0 ? longest : doubled;
    return delay;
  }

  void reset() {
    next = first;
  }
}
