package io.tidemill.presence;

import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisCommand;
import java.util.UUID;

/// All processes on one Redis together. Installations that share only a Kafka cluster are told
/// apart by their ids.
public final class Installation {
  private static final String KEY = "tidemill:installation";
  private static final int LENGTH = 12;

  private Installation() {}

  /// Its id: made by the first process that asks, the same for all from then on.
  public static String id(Redis redis) {
    var made = UUID.randomUUID().toString().replace("-", "").substring(0, LENGTH);
    redis.call(RedisCommand.SET, KEY, made, "NX");
    var kept = redis.call(RedisCommand.GET, KEY);
    return kept == null ? made : Redis.text(kept);
  }
}
