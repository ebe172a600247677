package io.tidemill.kafka.consumer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// Runs records on virtual threads in the order that [KeyQueues] decides, and keeps the books on
/// what is finished.
final class RecordDispatcher {
  private static final Executor THREADS = Thread::startVirtualThread;

  private final Function<HeldRecord, Optional<Duration>> work;
  private final Runnable whenRoom;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition quiet = lock.newCondition();
  private final KeyQueues lanes;
  private int held;

  /// @param work handles one record, and says after which pause it runs again if it does; never
  ///   throws
  /// @param whenRoom told when a paused partition may be read again
  RecordDispatcher(int slots, Function<HeldRecord, Optional<Duration>> work, Runnable whenRoom) {
    this.work = work;
    this.whenRoom = whenRoom;
    lanes = new KeyQueues(slots);
  }

  /// Takes records in hand, in the order of their offsets.
  void accept(List<HeldRecord> records) {
    startAll(() -> records.forEach(this::add));
  }

  private void add(HeldRecord held) {
    var partition = held.partition;
    partition.offsets.take(held.record.offset());
    partition.held++;
    this.held++;
    partition.heldBytes += held.bytes;
    lanes.add(held);
  }

  private void startAll(Runnable change) {
    var started = new ArrayList<HeldRecord>();
    lock.lock();
    try {
      change.run();
      for (var held = start(); held != null; held = start()) started.add(held);
    } finally {
      lock.unlock();
    }
    for (var held : started) THREADS.execute(() -> run(held));
  }

  private @Nullable HeldRecord start() {
    var held = lanes.start();
    if (held != null) held.partition.running.add(held);
    return held;
  }

  // One thread goes from record to record for as long as there is work.
  private void run(HeldRecord first) {
    for (@Nullable HeldRecord held = first; held != null; ) {
      held = settle(held, enter(held) ? work.apply(held).orElse(null) : null);
    }
  }

  private boolean enter(HeldRecord held) {
    lock.lock();
    try {
      held.runner = Thread.currentThread();
      return held.partition.isOurs();
    } finally {
      lock.unlock();
    }
  }

  private @Nullable HeldRecord settle(HeldRecord held, @Nullable Duration pause) {
    boolean room;
    HeldRecord next;
    lock.lock();
    try {
      leave(held);
      if (pause == null) finish(held);
      else lanes.postpone(); // until it runs again the rest of its key waits
      room = held.partition.hasRoomAgain();
      next = start();
    } finally {
      lock.unlock();
    }
    if (room) whenRoom.run();
    if (pause != null) wakeAfter(pause, held);
    return next;
  }

  private void leave(HeldRecord held) {
    held.runner = null;
    var _ = Thread.interrupted(); // it was meant for this record, not for the next
    held.partition.running.remove(held);
    if (held.partition.running.isEmpty()) quiet.signalAll();
  }

  private void finish(HeldRecord held) {
    var partition = held.partition;
    lanes.finish(held);
    if (!partition.isOurs()) return; // not ours to report any more
    partition.offsets.finish(held.record.offset());
    partition.held--;
    this.held--;
    partition.heldBytes -= held.bytes;
  }

  private void wakeAfter(Duration pause, HeldRecord held) {
    CompletableFuture.delayedExecutor(pause.toNanos(), TimeUnit.NANOSECONDS, THREADS)
        .execute(() -> startAll(() -> lanes.resume(held)));
  }

  /// Lets go of partitions: nothing more of them starts, what runs gets some time to end, and what
  /// is still at it then is interrupted.
  void release(Collection<AssignedPartition> partitions, Duration patience) {
    lock.lock();
    try {
      partitions.forEach(lanes::drop);
      awaitQuiet(partitions, patience);
    } finally {
      lock.unlock();
    }
    lose(partitions);
  }

  /// Partitions that somebody else has already: what runs is interrupted.
  void lose(Collection<AssignedPartition> partitions) {
    lock.lock();
    try {
      for (var partition : partitions) {
        lanes.drop(partition);
        if (partition.isOurs()) held -= partition.held;
        partition.lose();
        for (var held : partition.running) interrupt(held);
      }
    } finally {
      lock.unlock();
    }
  }

  private static void interrupt(HeldRecord held) {
    var runner = held.runner;
    if (runner != null) runner.interrupt();
  }

  /// Waits until nothing of these runs any more, or time is up.
  void awaitEnd(Collection<AssignedPartition> partitions, Duration patience) {
    lock.lock();
    try {
      awaitQuiet(partitions, patience);
    } finally {
      lock.unlock();
    }
  }

  private void awaitQuiet(Collection<AssignedPartition> partitions, Duration patience) {
    var left = patience.toNanos();
    try {
      while (left > 0 && partitions.stream().anyMatch(p -> !p.running.isEmpty())) {
        left = quiet.awaitNanos(left);
      }
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  /// What should be committed of these.
  Map<TopicPartition, OffsetAndMetadata> due(Collection<AssignedPartition> partitions) {
    var due = new HashMap<TopicPartition, OffsetAndMetadata>();
    lock.lock();
    try {
      for (var partition : partitions) {
        partition.due().ifPresent(offset -> due.put(partition.id, offset));
      }
    } finally {
      lock.unlock();
    }
    return due;
  }

  /// Runs something that looks at the books, or corrects them.
  void withBooks(Runnable look) {
    lock.lock();
    try {
      look.run();
    } finally {
      lock.unlock();
    }
  }

  /// Records in hand, of partitions that are ours.
  int held() {
    lock.lock();
    try {
      return held;
    } finally {
      lock.unlock();
    }
  }

  int running() {
    lock.lock();
    try {
      return lanes.running();
    } finally {
      lock.unlock();
    }
  }
}
