package io.tidemill.store.redis;

import static java.util.Objects.requireNonNull;

import io.tidemill.contract.job.JobNames;
import java.util.Map;
import redis.clients.jedis.Protocol.Command;

/// The queue from outside: how much waits, how much runs, who works.
public final class JobQueue {
  private final Redis redis;
  private final JobNames names;

  public JobQueue(Redis redis, JobsConfig config) {
    this.redis = redis;
    this.names = config.names();
  }

  /// How full the queue is.
  ///
  /// @param waiting in the queue or in line before it
  /// @param accepted entries ever added, and jobs in line
  public record Depth(long waiting, long running, long workers, long accepted) {}

  /// How full the queue is; all zero before anybody has made it.
  public Depth depth() {
    var inLine = (Long) requireNonNull(redis.call(Command.HLEN, names.waiting()));
    if (!Long.valueOf(1).equals(redis.call(Command.EXISTS, names.stream()))) {
      return new Depth(inLine, 0, 0, inLine);
    }
    var stream = Redis.map(redis.call(Command.XINFO, "STREAM", names.stream()));
    var accepted = number(stream, "entries-added") + inLine;
    for (var reply : Redis.list(redis.call(Command.XINFO, "GROUPS", names.stream()))) {
      var group = Redis.map(reply);
      if (names.group().equals(group.get("name"))) {
        return new Depth(waiting(group) + inLine, number(group, "pending"), workers(), accepted);
      }
    }
    return new Depth(inLine, 0, 0, accepted);
  }

  /// A job as it is kept (C3.1), its fields untouched; empty when it is gone.
  public Map<String, byte[]> record(String id) {
    return Redis.rawMap(redis.call(Command.HGETALL, JobNames.job(id)));
  }

  // Redis can't tell when somebody deleted entries by hand; then what is there is the best bound.
  private long waiting(Map<String, String> group) {
    if (!"null".equals(group.get("lag"))) return number(group, "lag");
    return (Long) requireNonNull(redis.call(Command.XLEN, names.stream()));
  }

  // Each says so every few seconds: one that was killed stays in Redis' own books for long.
  private long workers() {
    return (Long) requireNonNull(redis.call(Command.ZCARD, names.alive()));
  }

  private static long number(Map<String, String> reply, String field) {
    var text = reply.getOrDefault(field, "");
    return text.chars().allMatch(Character::isDigit) && !text.isEmpty() ? Long.parseLong(text) : 0;
  }
}
