package io.tidemill.app.upgrade;

import io.tidemill.config.SettingsException;
import io.tidemill.redis.Redis;
import io.tidemill.redis.Script;
import java.util.List;

/// The key `tidemill:format` in Redis, which stands for what all servers hold: Redis itself, Kafka,
/// the AMQP broker and the object store.
final class ServerStamp {
  static final String KEY = "tidemill:format";

  private static final Script READ = Script.load(ServerStamp.class, "read_format.lua");
  private static final Script RAISE = Script.load(ServerStamp.class, "raise_format.lua");

  private final Redis redis;

  ServerStamp(Redis redis) {
    this.redis = redis;
  }

  /// The servers' stamp; [Stamp#NONE] when they have none.
  ///
  /// @throws SettingsException when it can't be read
  Stamp read() {
    var found = Redis.list(redis.run(READ, List.of(KEY), List.of()));
    var type = Redis.text(found.getFirst());
    if (type.equals("none")) return Stamp.NONE;
    try {
      if (!type.equals("hash")) throw new IllegalArgumentException("it is a " + type);
      return Stamp.of(Redis.map(found.subList(1, found.size())));
    } catch (IllegalArgumentException damaged) {
      throw new SettingsException(
          ("redis.url: the key %s is damaged (%s); expected a hash with the fields format and"
                  + " written-by: restore it from a backup, or name other servers")
              .formatted(KEY, damaged.getMessage()),
          damaged);
    }
  }

  /// Never lowers it: another process may be ahead of this one.
  void raise(Stamp stamp) {
    redis.run(
        RAISE,
        List.of(KEY),
        List.of(Stamp.FORMAT, String.valueOf(stamp.format()), Stamp.WRITTEN_BY, stamp.writtenBy()));
  }
}
