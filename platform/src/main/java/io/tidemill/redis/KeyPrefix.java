package io.tidemill.redis;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import redis.clients.jedis.Protocol.Command;

/// Puts a prefix before every key and channel on its way to Redis, and takes it off on the way
/// back, so that several installations can share one Redis (G6).
///
/// Nobody else sees it: callers, scripts and stored values have the contracts' names. A script gets
/// a first line that does the same for the commands which it calls. Without a prefix nothing is
/// changed, and nothing costs more.
final class KeyPrefix {
  private static final String LUA = Script.resource(KeyPrefix.class, "prefix_keys.lua");

  private final String prefix;
  private final Map<Script, Script> scripts = new ConcurrentHashMap<>();

  KeyPrefix(String prefix) {
    this.prefix = prefix;
  }

  String add(String key) {
    return prefix.isEmpty() ? key : prefix + key;
  }

  List<String> add(List<String> keys) {
    return prefix.isEmpty() ? keys : keys.stream().map(this::add).toList();
  }

  /// @param key as Redis has it
  String remove(String key) {
    return key.startsWith(prefix) ? key.substring(prefix.length()) : key;
  }

  /// The arguments of a command with its keys as Redis has them.
  Object[] arguments(Command command, Object... arguments) {
    if (prefix.isEmpty()) return arguments;
    var all = arguments.clone();
    switch (KeyPlace.of(command)) {
      case NONE -> {}
      case FIRST -> add(all, 0, 1);
      case SECOND -> add(all, 1, 2);
      case FIRST_AND_SECOND -> add(all, 0, 2);
      case ALL -> add(all, 0, all.length);
      case STREAMS -> {
        var first = List.of(all).indexOf("STREAMS") + 1;
        add(all, first, first + (all.length - first) / 2);
      }
    }
    return all;
  }

  private void add(Object[] all, int from, int to) {
    for (int i = from; i < Math.min(to, all.length); i++) all[i] = add((String) all[i]);
  }

  /// The script with the first line that it needs.
  Script script(Script script) {
    return prefix.isEmpty() ? script : scripts.computeIfAbsent(script, this::prefixed);
  }

  private Script prefixed(Script script) {
    var line = LUA.replace("$prefix", prefix).replace("$places", KeyPlace.table());
    return script.startingWith(oneLine(line));
  }

  // A script's errors name its lines.
  private static String oneLine(String lua) {
    return String.join(
        " ", lua.lines().filter(line -> !line.startsWith("--")).map(String::strip).toList());
  }
}
