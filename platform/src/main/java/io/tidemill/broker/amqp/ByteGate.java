package io.tidemill.broker.amqp;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Shut while more bytes are held than it allows: then nobody reads on, and the rest stays with the
/// broker (F41).
final class ByteGate {
  private final long most;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition opened = lock.newCondition();
  private final AtomicLong held = new AtomicLong();
  private boolean forGood;

  ByteGate(long most) {
    this.most = most;
  }

  static ByteGate alwaysOpen() {
    return new ByteGate(Long.MAX_VALUE);
  }

  void hold(long bytes) {
    add(bytes);
  }

  void release(long bytes) {
    add(-bytes);
  }

  private void add(long bytes) {
    lock.lock();
    try {
      if (held.addAndGet(bytes) <= most) opened.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean isShut() {
    return held.get() > most;
  }

  /// Returns when the gate is open.
  void pass() {
    if (!isShut()) return;
    lock.lock();
    try {
      while (isShut() && !forGood) opened.awaitUninterruptibly();
    } finally {
      lock.unlock();
    }
  }

  /// The connection ends: whoever waits has to read its last words.
  void openForGood() {
    lock.lock();
    try {
      forGood = true;
      opened.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
