package io.tidemill.kafka.consumer;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Decides what runs next: one record of a key at a time and in order, higher priority first, and
/// never more than there are slots. Not safe for use by several threads.
final class KeyQueues {
  // So often the one that has waited longest goes first, whatever its priority.
  private static final int FAIR_TURN = 8;

  private final int slots;
  private final Map<Object, HeldRecord> lasts = new HashMap<>();
  private final TreeMap<Integer, Deque<HeldRecord>> ready =
      new TreeMap<>(Comparator.reverseOrder());
  private int running;
  private long turns;
  private long starts;

  KeyQueues(int slots) {
    this.slots = slots;
  }

  /// Queues a record behind those of its key.
  void add(HeldRecord held) {
    var last = lasts.put(held.lane, held);
    if (last == null) offer(held);
    else last.next = held;
  }

  /// Takes the next one to run, if there is one and room for it.
  @Nullable HeldRecord start() {
    if (running == slots || ready.isEmpty()) return null;
    running++;
    var level = ++starts % FAIR_TURN == 0 ? longestWaiting() : ready.firstEntry();
    var held = level.getValue().remove();
    if (level.getValue().isEmpty()) ready.remove(level.getKey());
    return held;
  }

  /// A running one is finished for good: the next of its key is ready.
  void finish(HeldRecord held) {
    running--;
    if (!held.partition.open) return; // whoever has it now goes on with the rest
    var next = held.next;
    if (next != null) offer(next);
    else lasts.remove(held.lane, held);
  }

  /// A running one must wait; the rest of its key waits with it.
  void postpone() {
    running--;
  }

  /// A postponed one is ready again.
  void resume(HeldRecord held) {
    if (held.partition.open) offer(held);
  }

  /// Starts nothing more of a partition, and forgets what waits.
  void drop(AssignedPartition partition) {
    partition.open = false;
    lasts.values().removeIf(last -> last.partition == partition);
    ready.values().forEach(level -> level.removeIf(held -> held.partition == partition));
    ready.values().removeIf(Deque::isEmpty);
  }

  int running() {
    return running;
  }

  private void offer(HeldRecord held) {
    held.turn = turns++;
    ready.computeIfAbsent(held.priority, _ -> new ArrayDeque<>()).add(held);
  }

  private Map.Entry<Integer, Deque<HeldRecord>> longestWaiting() {
    var longest = ready.firstEntry();
    for (var level : ready.entrySet()) {
      if (level.getValue().element().turn < longest.getValue().element().turn) longest = level;
    }
    return longest;
  }
}
