package io.tidemill.redis;

import io.tidemill.service.PeriodicTask;
import io.tidemill.service.Service;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.Protocol.Command;

/// Watches the memory of Redis, and warns at the start of settings that lose data (F26, F31).
public final class RedisHealth implements Service {
  private static final Logger log = LoggerFactory.getLogger(RedisHealth.class);
  private static final Duration EVERY = Duration.ofMillis(500);

  private final Redis redis;
  private final PeriodicTask task = new PeriodicTask("redis health", EVERY, this::readMemory);
  private volatile double memory;

  public RedisHealth(Redis redis) {
    this.redis = redis;
  }

  @Override
  public String name() {
    return task.name();
  }

  @Override
  public void start() {
    var server = redis.info("server");
    var version = server.getOrDefault("redis_version", "0");
    if (Integer.parseInt(version.split("\\.", 2)[0]) < 7) {
      throw new IllegalStateException(
          "redis.url leads to Redis " + version + ": expected Redis or Valkey 7 or newer");
    }
    if ("cluster".equals(server.get("redis_mode"))) {
      throw new IllegalStateException(
          "redis.url leads to a Redis Cluster: expected one Redis (with replicas, if you like),"
              + " because a job's keys are written in one script");
    }
    warnOfLoss("appendonly", "yes", "jobs that were answered are lost when it crashes");
    warnOfLoss("appendfsync", "always", "jobs that were answered may be lost when it crashes");
    warnOfLoss("maxmemory-policy", "noeviction", "jobs may be evicted when memory runs short");
    task.start();
  }

  @Override
  public void stop() {
    task.stop();
  }

  /// One line on what there is.
  public String describe() {
    var server = redis.info("server");
    return "Redis %s, %s"
        .formatted(
            server.getOrDefault("redis_version", "?"), server.getOrDefault("redis_mode", "?"));
  }

  /// Whether Redis answers.
  public String ping() {
    return Redis.text(redis.call(Command.PING));
  }

  /// The share of `maxmemory` in use; 0 when there is no limit.
  public double memoryShare() {
    return memory;
  }

  private void warnOfLoss(String setting, String wanted, String otherwise) {
    try {
      var value = Redis.map(redis.call(Command.CONFIG, "GET", setting)).get(setting);
      if (value != null && !value.equals(wanted)) {
        log.warn("Redis has {} {}, not {}: {}", setting, value, wanted, otherwise);
      }
    } catch (RedisException refused) {
      log.debug("Redis does not return its settings: {}", refused.getMessage());
    }
  }

  private void readMemory() {
    try {
      var info = redis.info("memory");
      var most = Double.parseDouble(info.getOrDefault("maxmemory", "0"));
      var used = Double.parseDouble(info.getOrDefault("used_memory", "0"));
      memory = most == 0 ? 0 : used / most;
    } catch (RedisException away) {
      log.debug("the memory of Redis is unknown: {}", away.getMessage());
    }
  }
}
