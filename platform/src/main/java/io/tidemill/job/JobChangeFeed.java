package io.tidemill.job;

import io.tidemill.contract.job.JobNames;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisCommand;
import io.tidemill.redis.Script;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Which jobs came and ended, ours and those of other programs, for whoever wants to know of all of
/// them: the queue shows what comes, a short stream beside it what our scripts changed.
///
/// Jobs of which both ends belong to others are seen as long as the queue has them.
public final class JobChangeFeed {
  private static final Script CHANGES = Script.load(JobChangeFeed.class, "read_changes.lua");

  // Who is further behind than this begins anew with the latest: they are worth more.
  private static final long MOST_BEHIND = 20_000;
  private static final int AT_ONCE = 1_000;
  private static final int LATEST = 600;

  /// How far somebody has read.
  ///
  /// @param change the last entry of the stream of changes
  /// @param count how many changes were named up to there
  /// @param queued the last entry of the queue
  public record Position(String change, long count, String queued) {
    public static final Position START = new Position("0-0", 0, "0-0");

    /// What [#marks] gave; from the start when it is something else.
    public static Position of(Map<String, String> marks) {
      try {
        return new Position(
            marks.getOrDefault("change", START.change),
            Long.parseLong(marks.getOrDefault("count", "0")),
            marks.getOrDefault("queued", START.queued));
      } catch (NumberFormatException strange) {
        return START;
      }
    }

    public Map<String, String> marks() {
      return Map.of("change", change, "count", String.valueOf(count), "queued", queued);
    }
  }

  /// Some changes.
  ///
  /// @param behind how many are still to be read
  /// @param skipped how many were left out because there were too many
  public record Page(Set<String> ids, Position next, long behind, long skipped) {
    public Page {
      ids = Set.copyOf(ids);
    }
  }

  private final Redis redis;
  private final JobNames names;

  public JobChangeFeed(Redis redis, JobsConfig config) {
    this.redis = redis;
    names = config.names();
  }

  /// The changes behind a position, some at a time.
  public Page after(Position from) {
    var answer =
        Redis.list(
            redis.run(
                CHANGES, List.of(names.stream()), List.of(from.change(), from.queued(), AT_ONCE)));
    var upto = count(Redis.text(answer.get(1)));
    if (upto - from.count() > MOST_BEHIND) {
      var latest = latest(from);
      if (latest.isPresent()) return latest.get();
    }
    var ids = new LinkedHashSet<String>();
    for (var id : Redis.list(answer.get(3))) add(Redis.text(id), ids);
    var entry = from.change();
    var count = from.count();
    long skipped = 0;
    for (var change : Redis.list(answer.getFirst())) {
      var parts = Redis.list(change);
      var named = Redis.text(parts.get(2)).split(" ", -1);
      var before = count(Redis.text(parts.get(1))) - named.length;
      if (before > count && count > 0) skipped += before - count;
      for (var id : named) add(id, ids);
      entry = Redis.text(parts.getFirst());
      count = before + named.length;
    }
    var next = new Position(entry, count, Redis.text(answer.get(2)));
    return new Page(ids, next, Math.max(0, upto - count), skipped);
  }

  // Empty when reading on leads there as soon.
  private Optional<Page> latest(Position from) {
    var found =
        Redis.list(redis.call(RedisCommand.XREVRANGE, names.changes(), "+", "-", "COUNT", LATEST));
    if (found.size() < LATEST) return Optional.empty();
    var oldest = Redis.list(found.getLast());
    var count = count(Redis.map(oldest.get(1)).getOrDefault("upto", ""));
    if (count <= from.count()) return Optional.empty();
    var next = new Position(Redis.text(oldest.getFirst()), count, from.queued());
    // Who has read nothing yet missed nothing.
    var skipped = from.count() == 0 ? 0 : count - from.count();
    return Optional.of(new Page(Set.of(), next, MOST_BEHIND, skipped));
  }

  private static void add(String id, Set<String> ids) {
    if (JobNames.isId(id)) ids.add(id);
  }

  private static long count(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException nothing) {
      return 0;
    }
  }
}
