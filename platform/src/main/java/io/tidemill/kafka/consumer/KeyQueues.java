package io.tidemill.kafka.consumer;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Decides which record runs next: one record of a key at a time and in order, higher priority
/// first, and never more than there are slots. Not thread-safe.
final class KeyQueues {
  // Every eighth start goes to the record that is ready for longest, whatever its priority.
  private static final int FAIR_TURN = 8;

  private final int slots;
  private final Map<Object, HeldRecord> lastOfKey = new HashMap<>();
  private final TreeMap<Integer, Deque<HeldRecord>> ready =
      new TreeMap<>(Comparator.reverseOrder());
  private int running;
  private long offers;
  private long starts;

  KeyQueues(int slots) {
    this.slots = slots;
  }

  /// Queues a record behind those of its key.
  void add(HeldRecord held) {
    var last = lastOfKey.put(held.orderKey, held);
    if (last == null) offer(held);
    else last.next = held;
  }

  /// Takes the next record to run; null when none is ready or all slots are taken.
  @Nullable HeldRecord start() {
    if (running == slots || ready.isEmpty()) return null;
    running++;
    var level = ++starts % FAIR_TURN == 0 ? longestReady() : ready.firstEntry();
    var held = level.getValue().remove();
    if (level.getValue().isEmpty()) ready.remove(level.getKey());
    return held;
  }

  /// A running record is finished: the next of its key is ready.
  void finish(HeldRecord held) {
    running--;
    if (!held.partition.open) return; // the next owner handles the rest
    var next = held.next;
    if (next != null) offer(next);
    else lastOfKey.remove(held.orderKey, held);
  }

  /// A running record must wait; the rest of its key waits with it.
  void postpone() {
    running--;
  }

  /// A postponed record is ready again.
  void resume(HeldRecord held) {
    if (held.partition.open) offer(held);
  }

  /// Starts nothing more of a partition, and removes its queued records.
  void drop(AssignedPartition partition) {
    partition.open = false;
    lastOfKey.values().removeIf(last -> last.partition == partition);
    ready.values().forEach(level -> level.removeIf(held -> held.partition == partition));
    ready.values().removeIf(Deque::isEmpty);
  }

  int running() {
    return running;
  }

  private void offer(HeldRecord held) {
    held.readyNumber = offers++;
    ready.computeIfAbsent(held.priority, _ -> new ArrayDeque<>()).add(held);
  }

  private Map.Entry<Integer, Deque<HeldRecord>> longestReady() {
    var longest = ready.firstEntry();
    for (var level : ready.entrySet()) {
      var number = level.getValue().element().readyNumber;
      if (number < longest.getValue().element().readyNumber) longest = level;
    }
    return longest;
  }
}
