package io.tidemill.redis;

import java.util.HashMap;
import java.util.Map;
import redis.clients.jedis.Protocol.Command;

/// What Redis says about itself.
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
    for (var section : new String[] {"server", "memory", "clients", "stats"}) {
      Redis.text(redis.call(Command.INFO, section)).lines().forEach(line -> read(line, info));
    }
    var used = number(info, "used_memory");
    var most = number(info, "maxmemory");
    return new RedisInspector(
        info.getOrDefault("redis_version", ""),
        used,
        most == 0 ? 0 : (double) used / most,
        number(info, "connected_clients"),
        number(info, "instantaneous_ops_per_sec"));
  }

  private static void read(String line, Map<String, String> info) {
    var colon = line.indexOf(':');
    if (colon > 0) info.put(line.substring(0, colon), line.substring(colon + 1).strip());
  }

  private static long number(Map<String, String> info, String name) {
    var text = info.getOrDefault(name, "");
    return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
  }
}
