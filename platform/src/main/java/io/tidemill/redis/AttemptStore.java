package io.tidemill.redis;

import static java.util.Objects.requireNonNull;

import io.tidemill.work.AttemptCounts;
import java.time.Duration;
import java.util.List;
import redis.clients.jedis.Protocol.Command;

/// Counts of failed attempts that all processes share; each expires some time after its last
/// change.
public final class AttemptStore implements AttemptCounts {
  private static final Script COUNT = Script.load(AttemptStore.class, "count_attempt.lua");

  private final Redis redis;
  private final String prefix;
  private final Duration ttl;

  /// @param name the prefix of these counts
  public AttemptStore(Redis redis, String name, Duration ttl) {
    this.redis = redis;
    this.prefix = "attempts:" + name + ":";
    this.ttl = ttl;
  }

  @Override
  public int failed(String what) {
    return requireNonNull((Long) redis.run(COUNT, List.of(prefix + what), List.of(ttl.toMillis())))
        .intValue();
  }

  @Override
  public void forget(String what) {
    redis.call(Command.DEL, prefix + what);
  }
}
