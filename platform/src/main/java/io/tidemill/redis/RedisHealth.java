package io.tidemill.redis;

import io.tidemill.service.Service;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.Protocol.Command;

/// Watches how full Redis is, and says at the start what would lose data (F26, F31).
public final class RedisHealth implements Service {
  private static final Logger log = LoggerFactory.getLogger(RedisHealth.class);
  private static final Duration EVERY = Duration.ofMillis(500);

  private final Redis redis;
  private final Thread thread;
  private volatile double memory;
  private volatile boolean stopping;

  public RedisHealth(Redis redis) {
    this.redis = redis;
    thread = Thread.ofVirtual().name("redis-health").unstarted(this::watch);
  }

  @Override
  public String name() {
    return "redis health";
  }

  @Override
  public void start() {
    var server = info("server");
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
    thread.start();
  }

  @Override
  public void stop() {
    stopping = true;
    thread.interrupt();
  }

  /// One line on what there is.
  public String describe() {
    var server = info("server");
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
      log.debug("Redis does not tell its settings: {}", refused.getMessage());
    }
  }

  private void watch() {
    while (!stopping) {
      try {
        var info = info("memory");
        var most = Double.parseDouble(info.getOrDefault("maxmemory", "0"));
        var used = Double.parseDouble(info.getOrDefault("used_memory", "0"));
        memory = most == 0 ? 0 : used / most;
        Thread.sleep(EVERY);
      } catch (RedisException unreachable) {
        pause();
      } catch (InterruptedException stop) {
        return;
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(EVERY);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  private Map<String, String> info(String section) {
    var lines = new LinkedHashMap<String, String>();
    for (var line : Redis.text(redis.call(Command.INFO, section)).lines().toList()) {
      var colon = line.indexOf(':');
      if (colon > 0) lines.put(line.substring(0, colon), line.substring(colon + 1).strip());
    }
    return lines;
  }
}
