package io.tidemill.crawl;

import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisCommand;
import java.time.Duration;
import java.util.Optional;

/// What sites said in their robots.txt, shared by all crawlers for as long as it may be kept.
public final class RobotsCache {
  private final Redis redis;

  public RobotsCache(Redis redis) {
    this.redis = redis;
  }

  /// What was kept of a site.
  public Optional<byte[]> find(String origin) {
    return Optional.ofNullable((byte[]) redis.call(RedisCommand.GET, key(origin)));
  }

  public void keep(String origin, byte[] found, Duration life) {
    redis.call(RedisCommand.SET, key(origin), found, "PX", Math.max(1, life.toMillis()));
  }

  private static String key(String origin) {
    return "robots:" + origin;
  }
}
