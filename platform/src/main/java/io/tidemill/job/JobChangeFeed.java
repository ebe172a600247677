package io.tidemill.job;

import io.tidemill.contract.job.JobFields;
import io.tidemill.contract.job.JobNames;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisCommand;
import io.tidemill.redis.Script;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The jobs that changed, of all gateways and workers: the queue shows new ones, a short stream
/// beside it those that our scripts changed.
///
/// A job that neither our gateway nor our worker writes is seen only while the queue has it.
public final class JobChangeFeed {
  private static final Script CHANGES = Script.load(JobChangeFeed.class, "read_changes.lua");

  // A reader that is further behind continues with the latest changes.
  private static final long MAX_BEHIND = 20_000;
  private static final int PAGE = 1_000;
  private static final int LATEST = 600;

  /// The position of a reader.
  ///
  /// @param change the last entry of the stream of changes
  /// @param count the number of changes up to there
  /// @param queued the last entry of the queue
  public record Position(String change, long count, String queued) {
    public static final Position START = new Position("0-0", 0, "0-0");

    /// Decodes [#marks]; the start when they are unreadable.
    public static Position of(Map<String, String> marks) {
      try {
        return new Position(
            marks.getOrDefault("change", START.change),
            Long.parseLong(marks.getOrDefault("count", "0")),
            marks.getOrDefault("queued", START.queued));
      } catch (NumberFormatException unreadable) {
        return START;
      }
    }

    public Map<String, String> marks() {
      return Map.of("change", change, "count", String.valueOf(count), "queued", queued);
    }
  }

  /// A page of changes.
  ///
  /// @param behind changes still to read
  /// @param skipped changes that were lost because the reader was too slow
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

  /// The next page of changes after a position.
  public Page after(Position from) {
    var answer =
        Redis.list(
            redis.run(
                CHANGES, List.of(names.stream()), List.of(from.change(), from.queued(), PAGE)));
    var upto = Redis.number(Redis.text(answer.get(1)));
    if (upto - from.count() > MAX_BEHIND) {
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
      var before = Redis.number(Redis.text(parts.get(1))) - named.length;
      if (before > count && count > 0) skipped += before - count;
      for (var id : named) add(id, ids);
      entry = Redis.text(parts.getFirst());
      count = before + named.length;
    }
    var next = new Position(entry, count, Redis.text(answer.get(2)));
    return new Page(ids, next, Math.max(0, upto - count), skipped);
  }

  // Empty when paging gets there as soon.
  private Optional<Page> latest(Position from) {
    var found =
        Redis.list(redis.call(RedisCommand.XREVRANGE, names.changes(), "+", "-", "COUNT", LATEST));
    if (found.size() < LATEST) return Optional.empty();
    var oldest = Redis.list(found.getLast());
    var count = Redis.number(Redis.map(oldest.get(1)).getOrDefault(JobFields.UPTO, ""));
    if (count <= from.count()) return Optional.empty();
    var next = new Position(Redis.text(oldest.getFirst()), count, from.queued());
    // A new reader has lost nothing.
    var skipped = from.count() == 0 ? 0 : count - from.count();
    return Optional.of(new Page(Set.of(), next, MAX_BEHIND, skipped));
  }

  private static void add(String id, Set<String> ids) {
    if (JobNames.isId(id)) ids.add(id);
  }
}
