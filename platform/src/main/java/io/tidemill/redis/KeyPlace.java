package io.tidemill.redis;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import redis.clients.jedis.Protocol.Command;

/// Where a command names keys and channels.
enum KeyPlace {
  NONE,
  FIRST,
  /// Behind a subcommand.
  SECOND,
  FIRST_AND_SECOND,
  ALL,
  /// The first half of what follows `STREAMS`.
  STREAMS;

  // Every command that is sent, by us or by our scripts.
  private static final Map<String, KeyPlace> PLACES = new TreeMap<>();

  static {
    NONE.holds("CLIENT CONFIG FLUSHALL INFO PING TIME");
    NONE.holds("SCAN"); // has a pattern, and keys in its reply: see Redis.onServer, Redis.original
    FIRST.holds("EXPIRE GET INCR INCRBY PERSIST PEXPIRE PTTL PUBLISH SET SUBSCRIBE TTL TYPE");
    FIRST.holds("HDEL HEXISTS HGET HGETALL HINCRBY HKEYS HLEN HMGET HRANDFIELD HSCAN HSET HSETNX");
    FIRST.holds("HSTRLEN LINDEX LLEN LPOP LPUSH LRANGE LREM LTRIM RPUSH");
    FIRST.holds("SADD SCARD SMEMBERS SRANDMEMBER SREM");
    FIRST.holds("XACK XADD XAUTOCLAIM XCLAIM XDEL XLEN XPENDING XRANGE XREVRANGE XTRIM");
    FIRST.holds("ZADD ZCARD ZCOUNT ZPOPMIN ZRANDMEMBER ZRANGE ZRANGEBYSCORE ZREM");
    FIRST.holds("ZREMRANGEBYRANK ZREMRANGEBYSCORE ZREVRANGE ZREVRANGEBYSCORE ZREVRANK ZSCORE");
    SECOND.holds("XGROUP XINFO");
    FIRST_AND_SECOND.holds("LMOVE");
    ALL.holds("DEL EXISTS UNLINK");
    STREAMS.holds("XREAD XREADGROUP");
  }

  private void holds(String commands) {
    for (var command : commands.split(" ", -1)) PLACES.put(command, this);
  }

  /// @throws IllegalArgumentException when it is not in the list above
  static KeyPlace of(Command command) {
    var place = PLACES.get(command.name());
    if (place == null) throw new IllegalArgumentException("no place of keys for " + command);
    return place;
  }

  /// The list as a table in Lua, without those whose first argument is the key: it is made anew
  /// whenever a script runs.
  static String table() {
    var table = new StringBuilder("{");
    PLACES.forEach((command, place) -> {
      if (place != FIRST) table.append(command).append("='").append(place.lua()).append("',");
    });
    return table.append('}').toString();
  }

  private String lua() {
    return name().toLowerCase(Locale.ROOT);
  }
}
