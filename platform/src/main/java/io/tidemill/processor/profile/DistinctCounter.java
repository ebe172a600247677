package io.tidemill.processor.profile;

import java.util.TreeSet;

/// How many different values there were: exact while they are few, within some percent beyond.
///
/// Keeps the smallest hashes: the fewer of them lie below a mark, the fewer values there are.
final class DistinctCounter {
  private static final int KEPT = 1_024;

  private final TreeSet<Long> smallest = new TreeSet<>();

  void add(String value) {
    var hash = hash(value) >>> 1;
    if (smallest.size() < KEPT) {
      smallest.add(hash);
    } else if (hash < smallest.last() && smallest.add(hash)) {
      smallest.pollLast();
    }
  }

  boolean isExact() {
    return smallest.size() < KEPT;
  }

  long estimate() {
    if (isExact()) return smallest.size();
    return Math.round((KEPT - 1) * (Long.MAX_VALUE / (double) smallest.last()));
  }

  // FNV-1a, and then every bit stirred: its high bits alone are too even.
  private static long hash(String value) {
    var hash = 0xCBF29CE484222325L;
    for (var i = 0; i < value.length(); i++) hash = (hash ^ value.charAt(i)) * 0x100000001B3L;
    hash = (hash ^ hash >>> 30) * 0xBF58476D1CE4E5B9L;
    hash = (hash ^ hash >>> 27) * 0x94D049BB133111EBL;
    return hash ^ hash >>> 31;
  }
}
