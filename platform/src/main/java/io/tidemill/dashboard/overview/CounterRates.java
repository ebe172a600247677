package io.tidemill.dashboard.overview;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The growth of counters over the last few seconds.
final class CounterRates {
  private static final long WINDOW_NANOS = Duration.ofSeconds(12).toNanos();
  private static final long LEAST_NANOS = Duration.ofMillis(500).toNanos();

  /// Counters by name and process: a restarted process counts from zero.
  record Counts(Map<String, Map<String, Double>> counts) {
    Counts() {
      this(new HashMap<>());
    }

    void add(String name, String process, double value) {
      counts.computeIfAbsent(name, _ -> new HashMap<>()).merge(process, value, Double::sum);
    }
  }

  private record Sample(long nanos, Counts counts) {}

  private final Deque<Sample> samples = new ArrayDeque<>();

  void add(long nanos, Counts counts) {
    samples.addLast(new Sample(nanos, counts));
    while (samples.size() > 2 && nanos - samples.getFirst().nanos() > WINDOW_NANOS) {
      samples.removeFirst();
    }
    // Samples from before a long pause are useless.
    if (nanos - samples.getFirst().nanos() > 5 * WINDOW_NANOS) {
      samples.clear();
      samples.addLast(new Sample(nanos, counts));
    }
  }

  /// Growth per second; null when it is not known yet.
  @Nullable Double rate(String name) {
    if (samples.size() < 2) return null;
    var first = samples.getFirst();
    var last = samples.getLast();
    if (last.nanos() - first.nanos() < LEAST_NANOS) return null;
    var before = first.counts().counts().get(name);
    var after = last.counts().counts().get(name);
    if (before == null || after == null) return null;
    var grown = 0.0;
    for (var each : after.entrySet()) {
      var from = before.get(each.getKey());
      if (from != null) grown += Math.max(0, each.getValue() - from);
    }
    return grown / ((last.nanos() - first.nanos()) / 1e9);
  }
}
