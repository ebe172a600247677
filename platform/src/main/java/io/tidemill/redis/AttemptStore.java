package io.tidemill.redis;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import redis.clients.jedis.Protocol.Command;

/// Counts of failed attempts that outlive the process and are shared by all, each forgotten a while
/// after its last change.
public final class AttemptStore {
  private static final Script COUNT = Script.load(AttemptStore.class, "count_attempt.lua");

  private final Redis redis;
  private final String prefix;
  private final Duration life;

  /// @param name tells these counts from others
  public AttemptStore(Redis redis, String name, Duration life) {
    this.redis = redis;
    this.prefix = "attempts:" + name + ":";
    this.life = life;
  }

  /// One more; returns how many there are now.
  public int failed(String what) {
    return requireNonNull((Long) redis.run(COUNT, List.of(prefix + what), List.of(life.toMillis())))
        .intValue();
  }

  public void forget(String what) {
    redis.call(Command.DEL, prefix + what);
  }
}
