package io.tidemill.redis.stream;

import io.tidemill.redis.Redis;
import java.util.Map;
import java.util.Optional;
import redis.clients.jedis.Protocol.Command;

/// One entry of a stream as a reader sees it.
public record StreamEntry(String id, Map<String, String> fields) {
  /// The last entry of a stream; empty when there is none.
  public static Optional<StreamEntry> last(Redis redis, String stream) {
    return Redis.list(redis.call(Command.XREVRANGE, stream, "+", "-", "COUNT", 1)).stream()
        .map(StreamEntry::of)
        .findFirst();
  }

  /// The id of the first entry that was not trimmed; empty when there is none.
  static Optional<String> firstId(Redis redis, String stream) {
    return Redis.list(redis.call(Command.XRANGE, stream, "-", "+", "COUNT", 1)).stream()
        .map(entry -> of(entry).id())
        .findFirst();
  }

  static StreamEntry of(Object reply) {
    var pair = Redis.list(reply);
    return new StreamEntry(Redis.text(pair.get(0)), Redis.map(pair.get(1)));
  }

  /// Orders ids as Redis does: by time, then by number.
  public static int compare(String a, String b) {
    var dashA = a.indexOf('-');
    var dashB = b.indexOf('-');
    var byTime =
        Long.compareUnsigned(
            Long.parseUnsignedLong(a, 0, dashA, 10), Long.parseUnsignedLong(b, 0, dashB, 10));
    if (byTime != 0) return byTime;
    return Long.compareUnsigned(
        Long.parseUnsignedLong(a, dashA + 1, a.length(), 10),
        Long.parseUnsignedLong(b, dashB + 1, b.length(), 10));
  }

  /// The approximate size in memory.
  int weight() {
    var weight = 64;
    for (var field : fields.entrySet()) {
      weight += field.getKey().length() + field.getValue().length();
    }
    return weight;
  }
}
