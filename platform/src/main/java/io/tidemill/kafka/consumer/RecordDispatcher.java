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

/// Runs records on virtual threads in the order that [KeyQueues] decides, and keeps track of what
/// is finished.
final class RecordDispatcher {
  private static final Executor THREADS = Thread::startVirtualThread;

  private final Function<HeldRecord, Optional<Duration>> work;
  private final Runnable onResumable;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition idle = lock.newCondition();
  private final KeyQueues queues;
  private int held;

  /// @param work handles one record and returns the pause before its next attempt, if it needs one;
  ///   never throws
  /// @param onResumable called when a paused partition may be read again
  RecordDispatcher(int slots, Function<HeldRecord, Optional<Duration>> work, Runnable onResumable) {
    this.work = work;
    this.onResumable = onResumable;
    queues = new KeyQueues(slots);
  }

  /// Queues records, in the order of their offsets.
  void accept(List<HeldRecord> records) {
    startAll(() -> records.forEach(this::add));
  }

  private void add(HeldRecord held) {
    var partition = held.partition;
    partition.offsets.take(held.record.offset());
    partition.held++;
    this.held++;
    partition.heldBytes += held.bytes;
    queues.add(held);
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
    var held = queues.start();
    if (held != null) held.partition.running.add(held);
    return held;
  }

  // A thread runs further records as long as some are ready.
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
    boolean isResumable;
    HeldRecord next;
    lock.lock();
    try {
      leave(held);
      if (pause == null) finish(held);
      else queues.postpone(); // the rest of its key waits with it
      isResumable = held.partition.isResumable();
      next = start();
    } finally {
      lock.unlock();
    }
    if (isResumable) onResumable.run();
    if (pause != null) wakeAfter(pause, held);
    return next;
  }

  private void leave(HeldRecord held) {
    held.runner = null;
    var _ = Thread.interrupted(); // meant for this record, not for the next one
    held.partition.running.remove(held);
    if (held.partition.running.isEmpty()) idle.signalAll();
  }

  private void finish(HeldRecord held) {
    var partition = held.partition;
    queues.finish(held);
    if (!partition.isOurs()) return;
    partition.offsets.finish(held.record.offset());
    partition.held--;
    this.held--;
    partition.heldBytes -= held.bytes;
  }

  private void wakeAfter(Duration pause, HeldRecord held) {
    CompletableFuture.delayedExecutor(pause.toNanos(), TimeUnit.NANOSECONDS, THREADS)
        .execute(() -> startAll(() -> queues.resume(held)));
  }

  /// Starts nothing more of revoked partitions, waits for their running records, and interrupts
  /// those that are still running after the time limit.
  void release(Collection<AssignedPartition> partitions, Duration limit) {
    lock.lock();
    try {
      partitions.forEach(queues::drop);
      awaitIdle(partitions, limit);
    } finally {
      lock.unlock();
    }
    lose(partitions);
  }

  /// Interrupts the running records of partitions that have another owner already.
  void lose(Collection<AssignedPartition> partitions) {
    lock.lock();
    try {
      for (var partition : partitions) {
        queues.drop(partition);
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

  /// Waits until no record of these partitions runs, or the time limit is over.
  void awaitEnd(Collection<AssignedPartition> partitions, Duration limit) {
    lock.lock();
    try {
      awaitIdle(partitions, limit);
    } finally {
      lock.unlock();
    }
  }

  private void awaitIdle(Collection<AssignedPartition> partitions, Duration limit) {
    var left = limit.toNanos();
    try {
      while (left > 0 && partitions.stream().anyMatch(p -> !p.running.isEmpty())) {
        left = idle.awaitNanos(left);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /// What should be committed of these partitions.
  Map<TopicPartition, OffsetAndMetadata> pendingCommits(Collection<AssignedPartition> partitions) {
    var commits = new HashMap<TopicPartition, OffsetAndMetadata>();
    lock.lock();
    try {
      for (var partition : partitions) {
        partition.pendingCommit().ifPresent(offset -> commits.put(partition.id, offset));
      }
    } finally {
      lock.unlock();
    }
    return commits;
  }

  /// Runs an action that reads or changes the state of partitions.
  void withLock(Runnable action) {
    lock.lock();
    try {
      action.run();
    } finally {
      lock.unlock();
    }
  }

  /// Records read and not finished, of partitions that are ours.
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
      return queues.running();
    } finally {
      lock.unlock();
    }
  }
}
