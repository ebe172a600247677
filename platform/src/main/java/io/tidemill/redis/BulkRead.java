package io.tidemill.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Reads many hashes at once, bounded in memory: long values are cut.
public final class BulkRead {
  private static final Script READ = Script.load(BulkRead.class, "read_hashes.lua");

  /// The number of hashes that one script reads.
  public static final int AT_ONCE = 50;

  private final Redis redis;

  public BulkRead(Redis redis) {
    this.redis = redis;
  }

  /// The hashes of these keys, in their order; empty where there is none.
  ///
  /// @param longest bytes of a value
  /// @param fields to read; none = all
  public List<Map<String, String>> hashes(List<String> keys, int longest, String... fields) {
    var arguments = new ArrayList<Object>(List.of(longest));
    arguments.addAll(List.of(fields));
    var found = new ArrayList<Map<String, String>>();
    for (int i = 0; i < keys.size(); i += AT_ONCE) {
      var some = keys.subList(i, Math.min(i + AT_ONCE, keys.size()));
      Redis.list(redis.run(READ, some, arguments)).forEach(one -> found.add(Redis.map(one)));
    }
    return found;
  }
}
