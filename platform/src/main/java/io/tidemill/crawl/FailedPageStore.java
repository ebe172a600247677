package io.tidemill.crawl;

import static java.util.Objects.requireNonNull;

import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisCommand;
import io.tidemill.redis.Script;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The newest pages that crawls could not fetch; `finish_visits.lua` adds them.
public final class FailedPageStore {
  private static final String KEY = "pages:failed";
  private static final Script GONE =
      Script.load(FailedPageStore.class, "/io/tidemill/redis/find_missing_entries.lua");

  /// One page.
  ///
  /// @param at milliseconds since the epoch
  /// @param owner of the crawl; empty when it is not known
  /// @param line about the page, as JSON: `url`, `reason`, and `status` when the host answered
  public record Failed(String id, long at, String crawlId, String owner, String line) {}

  private final Redis redis;

  public FailedPageStore(Redis redis) {
    this.redis = redis;
  }

  /// Those before this one, the newest first.
  public List<Failed> newest(@Nullable String before, int most) {
    var from = before == null ? "+" : "(" + before;
    return Redis.list(redis.call(RedisCommand.XREVRANGE, KEY, from, "-", "COUNT", most)).stream()
        .map(FailedPageStore::failed)
        .toList();
  }

  public Optional<Failed> find(String id) {
    return Redis.list(redis.call(RedisCommand.XRANGE, KEY, id, id)).stream()
        .map(FailedPageStore::failed)
        .findFirst();
  }

  /// Which of these are no longer there.
  public List<String> gone(List<String> ids) {
    if (ids.isEmpty()) return List.of();
    return Redis.list(redis.run(GONE, List.of(KEY), ids)).stream().map(Redis::text).toList();
  }

  public long count() {
    return (Long) requireNonNull(redis.call(RedisCommand.XLEN, KEY));
  }

  private static Failed failed(Object reply) {
    var entry = Redis.list(reply);
    var id = Redis.text(entry.get(0));
    Map<String, String> fields = Redis.map(entry.get(1));
    return new Failed(
        id,
        Long.parseLong(id.substring(0, id.indexOf('-'))),
        fields.getOrDefault("crawl", ""),
        fields.getOrDefault("email", ""),
        fields.getOrDefault("line", "{}"));
  }
}
