package io.tidemill.gateway.dead;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// An answer that takes its time to find, found once for all who ask within a few seconds.
final class Shared<T> {
  private final Supplier<T> question;
  private final long life;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable T answer;
  private long foundAt;

  Shared(Duration life, Supplier<T> question) {
    this.life = life.toNanos();
    this.question = question;
  }

  /// Who comes while somebody looks waits for what that one finds.
  T answer() {
    lock.lock();
    try {
      var known = answer;
      if (known != null && System.nanoTime() - foundAt < life) return known;
      known = question.get();
      answer = known;
      foundAt = System.nanoTime();
      return known;
    } finally {
      lock.unlock();
    }
  }

  /// The next who asks gets a new one.
  void forget() {
    lock.lock();
    try {
      answer = null;
    } finally {
      lock.unlock();
    }
  }
}
