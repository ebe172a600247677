package io.tidemill.redis;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import redis.clients.jedis.Protocol.Command;

/// Lets processes do something one after the other, as long as each is done in time: a turn that
/// runs out is given to the next, so nothing may depend on it that must not go wrong.
public final class RedisLock {
  private static final Script LEAVE = Script.load(RedisLock.class, "release_lock.lua");

  private final Redis redis;

  public RedisLock(Redis redis) {
    this.redis = redis;
  }

  /// Asking again with the same holder changes nothing.
  ///
  /// @return whether it is this holder's turn
  public boolean take(String name, String holder, Duration life) {
    var taken = redis.call(Command.SET, key(name), holder, "NX", "PX", life.toMillis());
    if (taken != null) return true;
    var now = redis.call(Command.GET, key(name));
    return now != null && Redis.text(now).equals(holder);
  }

  public void leave(String name, String holder) {
    requireNonNull(redis.run(LEAVE, List.of(key(name)), List.of(holder)));
  }

  private static String key(String name) {
    return "turn:" + name;
  }
}
