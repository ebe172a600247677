package io.tidemill.cli.crawl;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/// Pages per second of the last ten seconds, so that a pause shows.
final class PageRate {
  private static final long WINDOW = Duration.ofSeconds(10).toMillis();

  private record Count(long at, long pages) {}

  private final Deque<Count> counts = new ArrayDeque<>();

  /// @param at epoch ms
  /// @param pages all of them up to then
  void add(long at, long pages) {
    counts.addLast(new Count(at, pages));
    while (counts.size() > 2 && counts.getFirst().at() < at - WINDOW) counts.removeFirst();
  }

  double perSecond() {
    if (counts.isEmpty()) return 0;
    var first = counts.getFirst();
    var last = counts.getLast();
    var millis = last.at() - first.at();
    return millis <= 0 ? 0 : Math.max(0, last.pages() - first.pages()) * 1_000.0 / millis;
  }
}
