package io.tidemill.dashboard.recordsearch;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Things that have not ended, and how each stood: how they get on nobody says, so they are looked
/// at from time to time, some at a time.
///
/// Beyond a number it knows of no more.
final class UnfinishedRecords {
  private static final Duration LOOK_EVERY = Duration.ofSeconds(2);
  private static final int LOOKED_AT = 500;
  private static final int MOST = 20_000;

  // Status by id; the ones that were looked at longest ago come first.
  private final Map<String, String> statuses = new LinkedHashMap<>();
  private long lookedAt = System.nanoTime();

  void put(String id, String status) {
    statuses.remove(id);
    if (statuses.size() < MOST) statuses.put(id, status);
  }

  void remove(String id) {
    statuses.remove(id);
  }

  /// Those whose turn it is; none while it is too soon.
  List<String> due() {
    var now = System.nanoTime();
    if (statuses.isEmpty() || now - lookedAt < LOOK_EVERY.toNanos()) return List.of();
    lookedAt = now;
    return statuses.keySet().stream().limit(LOOKED_AT).toList();
  }

  /// Notes that one was looked at.
  ///
  /// @param status how it stands; null when it is gone
  /// @return whether that is news
  boolean isNews(String id, @Nullable String status) {
    var known = statuses.remove(id);
    if (known == null) return false;
    if (!known.equals(status)) return true;
    statuses.put(id, known);
    return false;
  }
}
