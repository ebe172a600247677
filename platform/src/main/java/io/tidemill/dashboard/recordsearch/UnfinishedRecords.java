package io.tidemill.dashboard.recordsearch;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Records in progress and their last known status. Their changes are not announced, so they are
/// checked periodically, some at a time.
///
/// Records beyond a maximum are ignored.
final class UnfinishedRecords {
  private static final Duration CHECK_EVERY = Duration.ofSeconds(2);
  private static final int CHECKED_AT_ONCE = 500;
  private static final int MOST = 20_000;

  // Status by id; those checked longest ago come first.
  private final Map<String, String> statuses = new LinkedHashMap<>();
  private long checkedAt = System.nanoTime();

  void put(String id, String status) {
    statuses.remove(id);
    if (statuses.size() < MOST) statuses.put(id, status);
  }

  void remove(String id) {
    statuses.remove(id);
  }

  /// Records to check now; empty while it is too soon.
  List<String> due() {
    var now = System.nanoTime();
    if (statuses.isEmpty() || now - checkedAt < CHECK_EVERY.toNanos()) return List.of();
    checkedAt = now;
    return statuses.keySet().stream().limit(CHECKED_AT_ONCE).toList();
  }

  /// Marks a record as checked.
  ///
  /// @param status null when the record is gone
  /// @return whether the status has changed
  boolean isChanged(String id, @Nullable String status) {
    var known = statuses.remove(id);
    if (known == null) return false;
    if (!known.equals(status)) return true;
    statuses.put(id, known);
    return false;
  }
}
