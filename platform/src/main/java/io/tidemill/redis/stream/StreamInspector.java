package io.tidemill.redis.stream;

import static java.util.Objects.requireNonNull;

import io.tidemill.redis.Redis;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol.Command;

/// Reads streams without a group and without changes, bounded in memory.
public final class StreamInspector {
  private static final int PAGE = 10;
  private static final long MAX_BYTES = 16L * 1024 * 1024;

  /// One group.
  ///
  /// @param pending entries that were delivered and not acknowledged
  /// @param lag entries that were not delivered; null when Redis does not know
  public record Group(String name, long consumers, long pending, @Nullable Long lag) {}

  /// One stream.
  public record State(String name, long length, List<Group> groups) {
    public State {
      groups = List.copyOf(groups);
    }
  }

  /// One entry with its raw fields.
  public record Entry(String id, Map<String, byte[]> fields) {
    /// When it was written, by its id.
    public long at() {
      return Long.parseUnsignedLong(id, 0, id.indexOf('-'), 10);
    }
  }

  /// Entries, the newest first.
  ///
  /// @param next the cursor of the next page; null at the end
  public record Page(List<Entry> entries, @Nullable String next) {
    public Page {
      entries = List.copyOf(entries);
    }
  }

  private final Redis redis;

  public StreamInspector(Redis redis) {
    this.redis = redis;
  }

  /// The state of a stream; empty when there is none.
  public Optional<State> state(String stream) {
    if (!isStream(stream)) return Optional.empty();
    var length = (Long) requireNonNull(redis.call(Command.XLEN, stream));
    var groups = new ArrayList<Group>();
    for (var reply : Redis.list(redis.call(Command.XINFO, "GROUPS", stream))) {
      groups.add(group(Redis.map(reply)));
    }
    return Optional.of(new State(stream, length, groups));
  }

  private boolean isStream(String key) {
    return Redis.text(redis.call(Command.TYPE, key)).equals("stream");
  }

  private static Group group(Map<String, String> reply) {
    var lag = reply.getOrDefault("lag", "null");
    return new Group(
        reply.getOrDefault("name", ""),
        Long.parseLong(reply.getOrDefault("consumers", "0")),
        Long.parseLong(reply.getOrDefault("pending", "0")),
        lag.equals("null") ? null : Long.valueOf(lag));
  }

  /// The newest entries, the newest first; fewer when they are very large. Empty when there is no
  /// such stream.
  ///
  /// @param before only entries older than this one; null for all
  public Optional<Page> newest(String stream, @Nullable String before, int limit) {
    if (!isStream(stream)) return Optional.empty();
    var found = new ArrayList<Entry>();
    var bytes = 0L;
    var from = before;
    while (found.size() < limit && bytes < MAX_BYTES) {
      var count = Math.min(PAGE, limit - found.size());
      var end = from == null ? "+" : "(" + from;
      var reply = Redis.list(redis.call(Command.XREVRANGE, stream, end, "-", "COUNT", count));
      for (var each : reply) {
        var entry = entry(Redis.list(each));
        found.add(entry);
        for (var value : entry.fields().values()) bytes += value.length;
        from = entry.id();
      }
      if (reply.size() < count) return Optional.of(new Page(found, null));
    }
    return Optional.of(new Page(found, found.isEmpty() ? null : found.getLast().id()));
  }

  private static Entry entry(List<Object> reply) {
    var fields = new LinkedHashMap<>(Redis.rawMap(reply.get(1)));
    return new Entry(Redis.text(reply.get(0)), fields);
  }
}
