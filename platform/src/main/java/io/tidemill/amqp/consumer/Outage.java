package io.tidemill.amqp.consumer;

import io.tidemill.work.Backoff;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Whether nothing gets through at the moment, and for how long there is no point in trying.
final class Outage {
  private final String queue;
  private final Backoff backoff;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private int failures;
  private boolean stopped;
  private volatile @Nullable String why;
  private volatile long until = System.nanoTime();

  Outage(String queue, Backoff backoff) {
    this.queue = queue;
    this.backoff = backoff;
  }

  /// Nothing got through, once more.
  ///
  /// @return how long to wait
  Duration note(String reason) {
    lock.lock();
    try {
      if (why == null) MessageConsumer.log.warn("{} waits: {}", queue, reason);
      why = reason;
      // Those who meet the same trouble at the same time count once.
      if (until - System.nanoTime() <= 0) failures++;
      var pause = backoff.after(failures, ThreadLocalRandom.current());
      until = System.nanoTime() + pause.toNanos();
      return pause;
    } finally {
      lock.unlock();
    }
  }

  /// Something got through; who waits already waits to the end of the pause.
  void end() {
    lock.lock();
    try {
      if (why != null) MessageConsumer.log.info("{} goes on", queue);
      why = null;
      failures = 0;
    } finally {
      lock.unlock();
    }
  }

  /// There is nothing to wait for any more.
  void endAtOnce() {
    end();
    until = System.nanoTime();
  }

  /// Waits until another try may be made, or somebody says that all is over.
  ///
  /// @return whether it may be made
  boolean awaitEnd() {
    lock.lock();
    try {
      var left = until - System.nanoTime();
      while (left > 0 && !stopped) {
        left = changed.awaitNanos(left);
      }
      return !stopped && until - System.nanoTime() <= 0;
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }

  /// Nobody need wait any more.
  void stop() {
    lock.lock();
    try {
      stopped = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// How often in a row nothing got through.
  int failures() {
    lock.lock();
    try {
      return failures;
    } finally {
      lock.unlock();
    }
  }

  /// Why nothing gets through; null when something does.
  @Nullable String why() {
    return why;
  }

  /// Whether the last pause ended so long ago.
  boolean isOver(Duration since) {
    return System.nanoTime() - until > since.toNanos();
  }
}
