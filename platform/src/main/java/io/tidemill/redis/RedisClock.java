package io.tidemill.redis;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import redis.clients.jedis.Protocol.Command;

/// The time of Redis, which all processes share, so that leases and timers do not depend on a wrong
/// clock (F14).
///
/// Redis is asked every few seconds; the monotonic clock counts in between. Until the first answer
/// this machine's own time is used.
public final class RedisClock implements InstantSource {
  private static final Duration FRESH = Duration.ofSeconds(10);

  private final Redis redis;
  private final InstantSource own;
  private volatile Reading reading;

  private record Reading(Instant time, long nanos, boolean real) {
    Instant now() {
      return time.plusNanos(System.nanoTime() - nanos);
    }

    boolean isFresh() {
      return real && System.nanoTime() - nanos < FRESH.toNanos();
    }
  }

  public RedisClock(Redis redis, InstantSource own) {
    this.redis = redis;
    this.own = own;
    reading = new Reading(own.instant(), System.nanoTime(), false);
  }

  @Override
  public Instant instant() {
    var last = reading;
    if (!last.isFresh()) ask(last);
    return reading.now();
  }

  @SuppressWarnings("ReferenceEquality") // this very reading, not one like it
  private synchronized void ask(Reading last) {
    if (reading != last) return; // another thread has asked meanwhile
    try {
      var time = Redis.list(redis.call(Command.TIME));
      var micros = Long.parseLong(Redis.text(time.get(1)));
      var instant = Instant.ofEpochSecond(Long.parseLong(Redis.text(time.get(0))), micros * 1_000);
      reading = new Reading(instant, System.nanoTime(), true);
    } catch (RedisException away) {
      reading =
          last.real()
              ? new Reading(last.now(), System.nanoTime(), true)
              : new Reading(own.instant(), System.nanoTime(), false);
    }
  }
}
