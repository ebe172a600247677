package io.tidemill.job;

import static java.util.Objects.requireNonNull;

import io.tidemill.contract.job.JobNames;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisCommand;
import io.tidemill.redis.Script;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The newest ten thousand jobs of all gateways that have not expired.
public final class JobList {
  private static final Script LIST = Script.load(JobList.class, "list_jobs.lua");
  // A script blocks Redis: it must be short.
  private static final int STEP = 500;

  /// One job.
  ///
  /// @param tenant in whose line it waits; empty when it does not wait
  public record Row(
      String id,
      String task,
      String status,
      long createdTs,
      long updatedTs,
      String error,
      String tenant) {}

  /// @param total number of jobs that match
  /// @param next the cursor of the next page; null at the end
  public record Page(List<Row> rows, long total, @Nullable String next) {
    public Page {
      rows = List.copyOf(rows);
    }
  }

  /// A filter and a page.
  ///
  /// @param status, task empty for all
  /// @param before the cursor of an earlier page; empty for the first
  public record Query(String status, String task, int limit, String before) {
    /// Whether this can be a cursor.
    public static boolean isCursor(String text) {
      var colon = text.indexOf(':');
      return colon > 0
          && colon < 16
          && text.chars().limit(colon).allMatch(Character::isDigit)
          && JobNames.isId(text.substring(colon + 1));
    }

    private boolean isFiltered() {
      return !status.isEmpty() || !task.isEmpty();
    }
  }

  private record Listing(
      List<Row> rows, List<String> cursors, long matches, String at, String id) {}

  private final Redis redis;
  private final JobNames names;

  public JobList(Redis redis, JobsConfig config) {
    this.redis = redis;
    this.names = config.names();
  }

  /// The newest first.
  public Page page(Query query) {
    var colon = query.before().indexOf(':');
    var at = colon < 0 ? "+inf" : query.before().substring(0, colon);
    var id = colon < 0 ? "" : query.before().substring(colon + 1);
    var rows = new ArrayList<Row>();
    var cursors = new ArrayList<String>();
    var most = query.limit() + 1; // one more says whether there is a next page
    do {
      var listing = read(query, at, id, most - rows.size());
      rows.addAll(listing.rows());
      cursors.addAll(listing.cursors());
      at = listing.at();
      id = listing.id();
    } while (rows.size() < most && !at.isEmpty());
    var isLast = rows.size() < most;
    return new Page(
        isLast ? rows : rows.subList(0, query.limit()),
        total(query),
        isLast ? null : cursors.get(query.limit() - 1));
  }

  private long total(Query query) {
    if (!query.isFiltered()) {
      return (Long) requireNonNull(redis.call(RedisCommand.ZCARD, names.recent()));
    }
    var total = 0L;
    var at = "+inf";
    for (var id = ""; !at.isEmpty(); ) {
      var listing = read(query, at, id, 0);
      total += listing.matches();
      at = listing.at();
      id = listing.id();
    }
    return total;
  }

  private Listing read(Query query, String at, String id, int most) {
    var reply =
        Redis.list(
            redis.run(
                LIST,
                List.of(names.recent(), names.waiting()),
                List.of(JobNames.job(""), at, id, STEP, query.status(), query.task(), most)));
    var rows = new ArrayList<Row>();
    var cursors = new ArrayList<String>();
    for (var each : Redis.list(reply.get(0))) {
      var row = Redis.list(each).stream().map(Redis::text).toList();
      rows.add(row(row));
      cursors.add(row.get(7) + ":" + row.get(0));
    }
    removeExpired(Redis.list(reply.get(2)));
    return new Listing(
        rows, cursors, (Long) reply.get(1), Redis.text(reply.get(3)), Redis.text(reply.get(4)));
  }

  private static Row row(List<String> texts) {
    return new Row(
        texts.get(0),
        texts.get(1),
        texts.get(2),
        Redis.number(texts.get(3)),
        Redis.number(texts.get(4)),
        texts.get(5),
        texts.get(6));
  }

  private void removeExpired(List<Object> expired) {
    if (expired.isEmpty()) return;
    var arguments = new ArrayList<Object>();
    arguments.add(names.recent());
    arguments.addAll(expired);
    redis.call(RedisCommand.ZREM, arguments.toArray());
  }
}
