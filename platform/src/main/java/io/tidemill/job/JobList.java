package io.tidemill.job;

import static java.util.Objects.requireNonNull;

import io.tidemill.contract.job.JobNames;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisCommand;
import io.tidemill.redis.Script;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The jobs that came lately, whichever gateway took them in: the newest ten thousand that have not
/// expired.
public final class JobList {
  private static final Script LIST = Script.load(JobList.class, "list_jobs.lua");
  // No script may hold up everybody else for long.
  private static final int STEP = 500;

  /// One line of the list.
  ///
  /// @param tenant in whose line it waits; empty when it waits in none
  public record Row(
      String id,
      String task,
      String status,
      long createdTs,
      long updatedTs,
      String error,
      String tenant) {}

  /// @param total how many there are of that kind
  /// @param next where the next page begins; null at the end
  public record Page(List<Row> rows, long total, @Nullable String next) {
    public Page {
      rows = List.copyOf(rows);
    }
  }

  /// Which ones.
  ///
  /// @param status, task empty for all
  /// @param before what an earlier page gave as its next; empty for the first
  public record Wanted(String status, String task, int limit, String before) {
    /// Whether this can be where a page begins.
    public static boolean isPlace(String text) {
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

  private record Listing(List<Row> rows, List<String> places, long matches, String at, String id) {}

  private final Redis redis;
  private final JobNames names;

  public JobList(Redis redis, JobsConfig config) {
    this.redis = redis;
    this.names = config.names();
  }

  /// The newest first.
  public Page page(Wanted wanted) {
    var colon = wanted.before().indexOf(':');
    var at = colon < 0 ? "+inf" : wanted.before().substring(0, colon);
    var id = colon < 0 ? "" : wanted.before().substring(colon + 1);
    var rows = new ArrayList<Row>();
    var places = new ArrayList<String>();
    var most = wanted.limit() + 1; // one more says whether there is a next page
    do {
      var look = look(wanted, at, id, most - rows.size());
      rows.addAll(look.rows());
      places.addAll(look.places());
      at = look.at();
      id = look.id();
    } while (rows.size() < most && !at.isEmpty());
    var isLast = rows.size() < most;
    return new Page(
        isLast ? rows : rows.subList(0, wanted.limit()),
        total(wanted),
        isLast ? null : places.get(wanted.limit() - 1));
  }

  private long total(Wanted wanted) {
    if (!wanted.isFiltered()) {
      return (Long) requireNonNull(redis.call(RedisCommand.ZCARD, names.recent()));
    }
    var total = 0L;
    var at = "+inf";
    for (var id = ""; !at.isEmpty(); ) {
      var look = look(wanted, at, id, 0);
      total += look.matches();
      at = look.at();
      id = look.id();
    }
    return total;
  }

  private Listing look(Wanted wanted, String at, String id, int most) {
    var reply =
        Redis.list(
            redis.run(
                LIST,
                List.of(names.recent(), names.waiting()),
                List.of(JobNames.job(""), at, id, STEP, wanted.status(), wanted.task(), most)));
    var rows = new ArrayList<Row>();
    var places = new ArrayList<String>();
    for (var each : Redis.list(reply.get(0))) {
      var row = Redis.list(each).stream().map(Redis::text).toList();
      rows.add(row(row));
      places.add(row.get(7) + ":" + row.get(0));
    }
    forget(Redis.list(reply.get(2)));
    return new Listing(
        rows, places, (Long) reply.get(1), Redis.text(reply.get(3)), Redis.text(reply.get(4)));
  }

  private static Row row(List<String> texts) {
    return new Row(
        texts.get(0),
        texts.get(1),
        texts.get(2),
        number(texts.get(3)),
        number(texts.get(4)),
        texts.get(5),
        texts.get(6));
  }

  // Others may have written anything.
  private static long number(String text) {
    return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
  }

  private void forget(List<Object> expired) {
    if (expired.isEmpty()) return;
    var arguments = new ArrayList<Object>();
    arguments.add(names.recent());
    arguments.addAll(expired);
    redis.call(RedisCommand.ZREM, arguments.toArray());
  }
}
