package io.tidemill.redis;

import io.tidemill.service.Unavailable;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Repeats calls of the store for some seconds, then fails as unavailable (503).
public final class StoreRetry {
  private static final Logger log = LoggerFactory.getLogger(StoreRetry.class);
  private static final Duration PATIENCE = Duration.ofSeconds(4);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

  private StoreRetry() {}

  /// Repeats a call as long as a client may wait; only for calls that are safe to repeat.
  public static <T> T answer(Supplier<T> call) {
    var deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        return call.get();
      } catch (RedisException failed) {
        if (failed.isRefusal() || failed.isOutOfMemory() || System.nanoTime() > deadline) {
          throw unavailable(failed);
        }
        pause();
      }
    }
  }

  private static Unavailable unavailable(RedisException failed) {
    log.warn("{}", failed.getMessage());
    var why = failed.isOutOfMemory() ? "Redis has no memory left" : "Redis does not answer";
    return new Unavailable(why, RETRY_AFTER, failed);
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new Unavailable("the gateway is stopping", RETRY_AFTER, stop);
    }
  }
}
