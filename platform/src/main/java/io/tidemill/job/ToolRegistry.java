package io.tidemill.job;

import io.tidemill.contract.job.JobNames;
import io.tidemill.contract.job.ToolCodec;
import io.tidemill.contract.job.ToolCodec.Heard;
import io.tidemill.contract.job.ToolSpec;
import io.tidemill.json.Json;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisCommand;
import io.tidemill.redis.Script;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Which tools the workers offer, as they announce them (C3.11).
///
/// Every method may throw [RedisException] and may then be repeated.
public final class ToolRegistry {
  private static final Script ANNOUNCE = Script.load(ToolRegistry.class, "announce_tools.lua");

  // Six times as long as our workers take to say it again.
  private static final Duration LASTS = Duration.ofSeconds(30);
  private static final Duration FORGET_AFTER = Duration.ofHours(1);
  private static final int MOST = 1_000;

  private final Redis redis;
  private final JobNames names;

  public ToolRegistry(Redis redis, JobsConfig config) {
    this.redis = redis;
    this.names = config.names();
  }

  /// Says that there is a worker with these tools; to be repeated every few seconds.
  public void announce(List<ToolSpec> tools) {
    if (tools.isEmpty()) return;
    var arguments = new ArrayList<Object>(List.of(FORGET_AFTER.toMillis()));
    for (var tool : tools) {
      arguments.add(tool.name());
      arguments.add(Json.text(ToolCodec.encode(tool)));
    }
    redis.run(ANNOUNCE, List.of(names.tools()), arguments);
  }

  /// The tools that somebody offers now, in the order of their names.
  public List<ToolSpec> alive() {
    // By the clock that the announcements are dated by.
    var time = Redis.list(redis.call(RedisCommand.TIME));
    var since = Long.parseLong(Redis.text(time.getFirst())) * 1_000 - LASTS.toMillis();
    return Redis.map(redis.call(RedisCommand.HGETALL, names.tools())).entrySet().stream()
        .flatMap(entry -> ToolCodec.decode(entry.getKey(), entry.getValue()).stream())
        .filter(heard -> heard.seenAt() >= since)
        .map(Heard::tool)
        .sorted(Comparator.comparing(ToolSpec::name))
        .limit(MOST)
        .toList();
  }
}
