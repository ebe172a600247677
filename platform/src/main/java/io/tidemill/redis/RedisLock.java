package io.tidemill.redis;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import redis.clients.jedis.Protocol.Command;

/// Locks that expire: they keep processes out of each other's way, but guarantee nothing to a
/// holder that is too slow.
public final class RedisLock {
  private static final Script RELEASE = Script.load(RedisLock.class, "release_lock.lua");

  private final Redis redis;

  public RedisLock(Redis redis) {
    this.redis = redis;
  }

  /// May be repeated by the same holder.
  ///
  /// @return whether this holder has the lock
  public boolean take(String name, String holder, Duration ttl) {
    var taken = redis.call(Command.SET, key(name), holder, "NX", "PX", ttl.toMillis());
    if (taken != null) return true;
    var now = redis.call(Command.GET, key(name));
    return now != null && Redis.text(now).equals(holder);
  }

  public void leave(String name, String holder) {
    requireNonNull(redis.run(RELEASE, List.of(key(name)), List.of(holder)));
  }

  private static String key(String name) {
    return "turn:" + name;
  }
}
