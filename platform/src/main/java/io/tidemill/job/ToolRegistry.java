package io.tidemill.job;

import io.tidemill.contract.job.JobNames;
import io.tidemill.contract.job.ToolCodec;
import io.tidemill.contract.job.ToolCodec.Announcement;
import io.tidemill.contract.job.ToolSpec;
import io.tidemill.json.Json;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisCommand;
import io.tidemill.redis.RedisException;
import io.tidemill.redis.Script;
import io.tidemill.service.PeriodicTask;
import io.tidemill.service.Service;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The tools that workers announce (C3.11).
///
/// Every method may throw [RedisException] and may then be repeated.
public final class ToolRegistry {
  private static final Logger log = LoggerFactory.getLogger(ToolRegistry.class);
  private static final Script ANNOUNCE = Script.load(ToolRegistry.class, "announce_tools.lua");

  private static final Duration ANNOUNCE_EVERY = Duration.ofSeconds(5);
  private static final Duration TTL = ANNOUNCE_EVERY.multipliedBy(6);
  private static final Duration REMOVE_AFTER = Duration.ofHours(1);
  private static final int MAX_TOOLS = 1_000;

  private final Redis redis;
  private final JobNames names;

  public ToolRegistry(Redis redis, JobsConfig config) {
    this.redis = redis;
    this.names = config.names();
  }

  /// A service that announces the tools of this worker every few seconds.
  public Service announcer(List<ToolSpec> tools) {
    return new PeriodicTask(
        "tool announcer",
        ANNOUNCE_EVERY,
        () -> {
          try {
            announce(tools);
          } catch (RedisException away) {
            log.debug("tools are not announced: {}", away.getMessage());
          }
        });
  }

  private void announce(List<ToolSpec> tools) {
    if (tools.isEmpty()) return;
    var arguments = new ArrayList<Object>(List.of(REMOVE_AFTER.toMillis()));
    for (var tool : tools) {
      arguments.add(tool.name());
      arguments.add(Json.text(ToolCodec.encode(tool)));
    }
    redis.run(ANNOUNCE, List.of(names.tools()), arguments);
  }

  /// The tools that are offered now, by name.
  public List<ToolSpec> alive() {
    // Announcements are dated by Redis' clock.
    var time = Redis.list(redis.call(RedisCommand.TIME));
    var since = Long.parseLong(Redis.text(time.getFirst())) * 1_000 - TTL.toMillis();
    return Redis.map(redis.call(RedisCommand.HGETALL, names.tools())).entrySet().stream()
        .flatMap(entry -> ToolCodec.decode(entry.getKey(), entry.getValue()).stream())
        .filter(announcement -> announcement.seenAt() >= since)
        .map(Announcement::tool)
        .sorted(Comparator.comparing(ToolSpec::name))
        .limit(MAX_TOOLS)
        .toList();
  }
}
