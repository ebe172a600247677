package io.tidemill.deadletter.redrive;

import java.lang.ref.SoftReference;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// An answer that takes its time to find, found once for all who ask within a few seconds. It may
/// be large: when memory runs short it is let go.
final class SharedResult<T> {
  private final Supplier<T> question;
  private final long life;
  private final ReentrantLock lock = new ReentrantLock();
  private SoftReference<T> answer = new SoftReference<>(null);
  private long foundAt;
  private long foundIn;
  // Counts how often it was said that something has changed.
  private final AtomicLong changes = new AtomicLong();

  SharedResult(Duration life, Supplier<T> question) {
    this.life = life.toNanos();
    this.question = question;
  }

  /// Who comes while somebody looks waits for what that one finds.
  T answer() {
    lock.lock();
    try {
      @Nullable T known = answer.get();
      var now = changes.get();
      if (known != null && foundIn == now && System.nanoTime() - foundAt < life) return known;
      known = question.get();
      answer = new SoftReference<>(known);
      foundIn = now;
      foundAt = System.nanoTime();
      return known;
    } finally {
      lock.unlock();
    }
  }

  /// Who asks from now on gets a new one. Does not wait for anybody who looks.
  void forget() {
    changes.incrementAndGet();
  }
}
