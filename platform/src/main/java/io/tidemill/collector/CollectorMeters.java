package io.tidemill.collector;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.analytics.BatchStore.StoredBatch;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// What the collector counts: messages by format, platform and outcome, and items (C5.5).
final class CollectorMeters {
  private static final int MOST_PLATFORMS = 50;

  private final MeterRegistry metrics;
  private final Counter items;
  private final Counter failed;
  // Strangers name platforms as they like, and each name costs memory for ever.
  private final Set<String> platforms = ConcurrentHashMap.newKeySet();

  CollectorMeters(MeterRegistry metrics) {
    this.metrics = metrics;
    items = metrics.counter("collector.items", "end", "analysed");
    failed = metrics.counter("collector.items", "end", "failed");
  }

  void count(String format, String platform, String outcome) {
    metrics
        .counter(
            "collector.messages",
            "format",
            format,
            "platform",
            platform(platform),
            "outcome",
            outcome)
        .increment();
  }

  private String platform(String name) {
    if (name.isEmpty() || platforms.contains(name)) return name;
    return platforms.size() < MOST_PLATFORMS && platforms.add(name) ? name : "other";
  }

  void items(StoredBatch stored) {
    items.increment(stored.items());
    failed.increment(stored.failed());
  }
}
