package io.tidemill.redis;

import java.util.HashMap;
import java.util.List;

/// Figures of a Redis server.
///
/// @param memory bytes in use
/// @param memoryShare of `maxmemory`; 0 when there is no limit
public record RedisInspector(
    String version, long memory, double memoryShare, long clients, long opsPerSecond) {
  /// Asks now.
  ///
  /// @throws RedisException when it does not answer
  public static RedisInspector of(Redis redis) {
    var info = new HashMap<String, String>();
    for (var section : List.of("server", "memory", "clients", "stats")) {
      info.putAll(redis.info(section));
    }
    var used = Redis.number(info.get("used_memory"));
    var most = Redis.number(info.get("maxmemory"));
    return new RedisInspector(
        info.getOrDefault("redis_version", ""),
        used,
        most == 0 ? 0 : (double) used / most,
        Redis.number(info.get("connected_clients")),
        Redis.number(info.get("instantaneous_ops_per_sec")));
  }
}
