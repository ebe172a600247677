package io.tidemill.redis.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.support.JobPlatform;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Protocol.Command;

/// What a shard hands out when the readers of a stream change while it reads.
class TailShardIT {
  private static final String STREAM = "job:tail:events";

  @Test
  void aReplyThatWasAskedForByEarlierReadersSkipsAndRepeatsNothing() throws Exception { // F29
    try (var platform = JobPlatform.redis()) {
      var url = "redis://127.0.0.1:" + platform.server().port();
      try (var redis = new Redis(new RedisConfig(url, 1, Duration.ofSeconds(5)))) {
        add(redis, "1-0");
        var shard = new TailShard(redis, 0); // not started: this test reads in its place
        try (var reader = new TailReader(redis, shard, STREAM, "1-0")) {
          assertThat(reader.next(Duration.ZERO)).isEmpty(); // joins at 1-0
          add(redis, "2-0");
          add(redis, "3-0");

          shard.fanOut(Map.of(STREAM, "2-0"), read(redis, "2-0"));
          assertThat(reader.next(Duration.ZERO)).as("3-0 without 2-0").isEmpty();

          shard.fanOut(Map.of(STREAM, "1-0"), read(redis, "1-0"));
          shard.fanOut(Map.of(STREAM, "1-0"), read(redis, "1-0"));
          assertThat(reader.next(Duration.ZERO))
              .extracting(StreamEntry::id)
              .isEqualTo(List.of("2-0", "3-0"));
        }
      }
    }
  }

  private static void add(Redis redis, String id) {
    redis.call(Command.XADD, STREAM, id, "type", "log");
  }

  private static @Nullable Object read(Redis redis, String after) {
    return redis.call(Command.XREAD, "STREAMS", STREAM, after);
  }
}
