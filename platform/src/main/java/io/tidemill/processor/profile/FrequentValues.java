package io.tidemill.processor.profile;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The most frequent of any number of values, in bounded memory: exact while they are few; beyond
/// that no count is too high, and none of a frequent value is missing (Misra and Gries).
final class FrequentValues {
  private final int room;
  private final Map<String, Long> counts = new HashMap<>();

  FrequentValues(int room) {
    this.room = room;
  }

  void add(String value) {
    add(value, 1);
  }

  void add(String value, long times) {
    counts.merge(value, times, Long::sum);
    // Now and then, not each time: forgetting costs as much as there are values.
    if (counts.size() > 2 * room) forget();
  }

  private void forget() {
    var sorted = counts.values().stream().sorted(Comparator.reverseOrder()).toList();
    var least = sorted.get(room);
    counts.replaceAll((_, count) -> count - least);
    counts.values().removeIf(count -> count <= 0);
  }

  long count(String value) {
    return counts.getOrDefault(value, 0L);
  }

  Map<String, Long> counts() {
    return counts;
  }

  List<Map.Entry<String, Long>> top(int most) {
    return counts.entrySet().stream()
        .sorted(
            Map.Entry.<String, Long>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(most)
        .toList();
  }
}
