package io.tidemill.redis;

import io.tidemill.service.Unavailable;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Does what only one process may do at a time, when it is its turn.
public final class DistributedLock {
  private static final Logger log = LoggerFactory.getLogger(DistributedLock.class);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final RedisLock turns;
  private final Duration patience;
  private final Duration life;

  /// @param patience how long to wait for one's turn
  /// @param life when a turn runs out; longer than what is done in it takes
  public DistributedLock(RedisLock turns, Duration patience, Duration life) {
    this.turns = turns;
    this.patience = patience;
    this.life = life;
  }

  /// @param turn names what it is about
  /// @param busy what is told to those who waited in vain
  /// @throws Unavailable when others do not make room in time
  public <T> T answer(String turn, String busy, Supplier<T> question) {
    var holder = UUID.randomUUID().toString();
    var deadline = System.nanoTime() + patience.toNanos();
    while (!StoreRetry.answer(() -> turns.take(turn, holder, life))) {
      if (System.nanoTime() - deadline > 0) throw new Unavailable(busy, RETRY_AFTER);
      pause();
    }
    try {
      return question.get();
    } finally {
      leave(turn, holder);
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

  private void leave(String turn, String holder) {
    try {
      turns.leave(turn, holder);
    } catch (RedisException silent) {
      log.debug("turn {} runs out by itself: {}", turn, silent.getMessage());
    }
  }
}
