package io.tidemill.presence;

import io.tidemill.json.Json;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisCommand;
import io.tidemill.redis.Script;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// The processes of the platform on all machines. Each announces itself every few seconds; one that
/// was killed counts as gone soon, one that stops removes itself.
public final class PresenceStore {
  /// The interval of announcements.
  public static final Duration EVERY = Duration.ofSeconds(3);

  /// A process that was silent for this long is gone.
  public static final Duration LASTS = Duration.ofSeconds(10);

  private static final Script ANNOUNCE = Script.load(PresenceStore.class, "announce_process.lua");
  private static final Script LIST = Script.load(PresenceStore.class, "list_processes.lua");
  private static final String PROCESSES = "processes";
  private static final Duration REMEMBERED = Duration.ofMinutes(10);
  private static final int MOST = 1_000;

  /// A health check of a process.
  public record Check(boolean isUp, String detail) {}

  /// A process as it announces itself.
  ///
  /// @param startedAt epoch milliseconds
  /// @param isStarting whether it is still starting, so that failing checks are no fault
  /// @param figures counters and gauges by name
  /// @param stores names of the files that it writes, by store
  public record Member(
      String id,
      String host,
      long pid,
      String version,
      List<String> roles,
      long startedAt,
      boolean isStarting,
      Map<String, Check> checks,
      Map<String, Double> figures,
      Map<String, String> stores) {
    public Member {
      roles = List.copyOf(roles);
      checks = Map.copyOf(checks);
      figures = Map.copyOf(figures);
      stores = Map.copyOf(stores);
    }

    public String name() {
      return host + ":" + pid;
    }
  }

  /// A process as seen by others.
  ///
  /// @param seenAt last announcement, by Redis' clock
  public record Seen(Member process, long seenAt, boolean isGone) {}

  /// @param at by Redis' clock
  public record Snapshot(long at, List<Seen> processes) {
    public Snapshot {
      processes = List.copyOf(processes);
    }
  }

  private final Redis redis;

  public PresenceStore(Redis redis) {
    this.redis = redis;
  }

  public void announce(Member process) {
    redis.run(
        ANNOUNCE,
        List.of(PROCESSES, key(process.id())),
        List.of(process.id(), encode(process), REMEMBERED.toMillis()));
  }

  /// Removes gone processes that this one replaces: after a restart the killed process is no longer
  /// reported.
  public void replace(Member process) {
    for (var seen : all(redis).processes()) {
      if (seen.isGone() && isReplaced(seen, process)) leave(seen.process().id());
    }
  }

  /// Removes a process that stops.
  public void leave(String id) {
    redis.call(RedisCommand.ZREM, PROCESSES, id);
    redis.call(RedisCommand.DEL, key(id));
  }

  private static String key(String id) {
    return "process:" + id;
  }

  /// Live processes, and those that are gone lately and not replaced.
  public Snapshot snapshot() {
    var all = all(redis);
    var alive = all.processes().stream().filter(seen -> !seen.isGone()).toList();
    return new Snapshot(
        all.at(),
        all.processes().stream()
            .filter(seen ->
                !seen.isGone()
                    || alive.stream().noneMatch(other -> isReplaced(seen, other.process())))
            .toList());
  }

  private static Snapshot all(Redis redis) {
    var reply =
        Redis.list(
            redis.run(LIST, List.of(PROCESSES), List.of(key(""), REMEMBERED.toMillis(), MOST)));
    var now = (Long) reply.getFirst();
    var all = new ArrayList<Seen>();
    for (var each : reply.subList(1, reply.size())) {
      var entry = Redis.list(each);
      var seenAt = (long) Double.parseDouble(Redis.text(entry.get(1)));
      try {
        var process = process(Json.parse(Redis.text(entry.get(2))));
        all.add(new Seen(process, seenAt, now - seenAt > LASTS.toMillis()));
      } catch (JacksonException | IllegalArgumentException unreadable) {
        // written by another version
      }
    }
    return new Snapshot(now, all);
  }

  private static boolean isReplaced(Seen gone, Member by) {
    return by.host().equals(gone.process().host())
        && by.roles().containsAll(gone.process().roles())
        && by.startedAt() >= gone.seenAt();
  }

  private static byte[] encode(Member process) {
    var tree =
        Json.object()
            .put("id", process.id())
            .put("host", process.host())
            .put("pid", process.pid())
            .put("version", process.version())
            .put("startedAt", process.startedAt())
            .put("starting", process.isStarting());
    var roles = tree.putArray("roles");
    process.roles().forEach(roles::add);
    var checks = tree.putObject("checks");
    process
        .checks()
        .forEach((name, check) ->
            checks.putObject(name).put("up", check.isUp()).put("detail", check.detail()));
    var figures = tree.putObject("figures");
    process.figures().forEach(figures::put);
    var stores = tree.putObject("stores");
    process.stores().forEach(stores::put);
    return Json.bytes(tree);
  }

  private static Member process(JsonNode tree) {
    var checks = new LinkedHashMap<String, Check>();
    tree.path("checks")
        .properties()
        .forEach(each ->
            checks.put(
                each.getKey(),
                new Check(
                    each.getValue().path("up").asBoolean(false),
                    each.getValue().path("detail").asString(""))));
    var figures = new LinkedHashMap<String, Double>();
    tree.path("figures")
        .properties()
        .forEach(each -> figures.put(each.getKey(), each.getValue().asDouble(0)));
    var stores = new LinkedHashMap<String, String>();
    tree.path("stores")
        .properties()
        .forEach(each -> stores.put(each.getKey(), each.getValue().asString("")));
    return new Member(
        tree.path("id").asString(),
        tree.path("host").asString(),
        tree.path("pid").asLong(),
        tree.path("version").asString(),
        tree.path("roles").valueStream().map(role -> role.asString("")).toList(),
        tree.path("startedAt").asLong(),
        tree.path("starting").asBoolean(false),
        checks,
        figures,
        stores);
  }
}
