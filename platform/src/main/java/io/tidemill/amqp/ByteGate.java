package io.tidemill.amqp;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Shut while more bytes are held than it allows: then nobody reads on, and the rest stays with the
/// broker (F41).
public final class ByteGate {
  private final long most;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition opened = lock.newCondition();
  private final AtomicLong held = new AtomicLong();
  private boolean forGood;

  public ByteGate(long most) {
    this.most = most;
  }

  public static ByteGate alwaysOpen() {
    return new ByteGate(Long.MAX_VALUE);
  }

  public void hold(long bytes) {
    add(bytes);
  }

  public void release(long bytes) {
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

  public boolean isShut() {
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
  public void openForGood() {
    lock.lock();
    try {
      forGood = true;
      opened.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
