package io.tidemill.redis;

import io.tidemill.service.Unavailable;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs work that only one process may do at a time.
public final class DistributedLock {
  private static final Logger log = LoggerFactory.getLogger(DistributedLock.class);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final RedisLock locks;
  private final Duration patience;
  private final Duration ttl;

  /// @param patience how long to wait for the lock
  /// @param ttl when the lock expires; longer than the work takes
  public DistributedLock(RedisLock locks, Duration patience, Duration ttl) {
    this.locks = locks;
    this.patience = patience;
    this.ttl = ttl;
  }

  /// @param busy the message when the lock does not become free in time
  /// @throws Unavailable when the lock does not become free in time
  public <T> T answer(String name, String busy, Supplier<T> work) {
    var holder = UUID.randomUUID().toString();
    var deadline = System.nanoTime() + patience.toNanos();
    while (!StoreRetry.answer(() -> locks.take(name, holder, ttl))) {
      if (System.nanoTime() - deadline > 0) throw new Unavailable(busy, RETRY_AFTER);
      pause();
    }
    try {
      return work.get();
    } finally {
      release(name, holder);
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new Unavailable("the gateway is stopping", RETRY_AFTER, stop);
    }
  }

  private void release(String name, String holder) {
    try {
      locks.leave(name, holder);
    } catch (RedisException silent) {
      log.debug("lock {} expires by itself: {}", name, silent.getMessage());
    }
  }
}
