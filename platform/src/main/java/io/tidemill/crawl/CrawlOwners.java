package io.tidemill.crawl;

import io.tidemill.contract.crawl.CrawlKey;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.redis.BulkRead;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Finds the owner of a crawl by its id where nothing of ours names it: another program's gateway
/// wrote the entity, or what we kept beside it has expired.
///
/// The contract has no index of ids, so owners are asked one after the other. The list of owners is
/// read anew when nobody on it has the crawl, but never for more than a tenth of the time.
public final class CrawlOwners {
  private static final String PREFIX = CrawlNames.crawls("");
  private static final int SCAN_STEP = 1_000;
  private static final int MOST_OWNERS = 20_000;
  private static final int MOST_FOUND = 10_000;
  private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);
  private static final int PAUSE_FACTOR = 10;

  private final Redis redis;
  private final BulkRead bulkRead;
  private final Map<String, String> found =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
          return size() > MOST_FOUND;
        }
      };
  // Until owners are looked for again, so that asking for an unknown crawl stays cheap.
  private final Set<String> missed = new HashSet<>();
  private List<String> keys = List.of();
  private long scanAt = System.nanoTime();

  public CrawlOwners(Redis redis) {
    this.redis = redis;
    this.bulkRead = new BulkRead(redis);
  }

  /// The owner; empty when no owner has such a crawl.
  public synchronized Optional<CrawlKey> find(String id) {
    var known = found.get(id);
    if (known != null && has(known, id)) return Optional.of(key(known, id));
    var mayScan = System.nanoTime() - scanAt >= 0;
    if (!mayScan && missed.contains(id)) return Optional.empty();
    var key = search(id);
    if (key.isEmpty() && mayScan) {
      scan();
      key = search(id);
    }
    key.ifPresent(one -> found.put(id, one));
    if (key.isEmpty() && missed.size() < MOST_FOUND) missed.add(id);
    return key.map(one -> key(one, id));
  }

  private static CrawlKey key(String key, String id) {
    return new CrawlKey(key.substring(PREFIX.length()), id);
  }

  private boolean has(String key, String id) {
    return Long.valueOf(1).equals(redis.call(RedisCommand.HEXISTS, key, id));
  }

  private Optional<String> search(String id) {
    for (int i = 0; i < keys.size(); i += BulkRead.AT_ONCE) {
      var some = keys.subList(i, Math.min(i + BulkRead.AT_ONCE, keys.size()));
      var crawls = bulkRead.hashes(some, 1, id);
      for (int j = 0; j < some.size(); j++) {
        if (!crawls.get(j).isEmpty()) return Optional.of(some.get(j));
      }
    }
    return Optional.empty();
  }

  private void scan() {
    var began = System.nanoTime();
    missed.clear();
    var owners = new ArrayList<String>();
    var cursor = "0";
    do {
      var reply =
          Redis.list(
              redis.call(
                  RedisCommand.SCAN,
                  cursor,
                  "MATCH",
                  redis.onServer(PREFIX) + "*",
                  "TYPE",
                  "hash",
                  "COUNT",
                  SCAN_STEP));
      cursor = Redis.text(reply.get(0));
      Redis.list(reply.get(1)).forEach(key -> owners.add(redis.original(Redis.text(key))));
    } while (!cursor.equals("0") && owners.size() < MOST_OWNERS);
    keys = owners.stream().distinct().limit(MOST_OWNERS).toList();
    var took = System.nanoTime() - began;
    scanAt = System.nanoTime() + Math.max(SHORTEST_PAUSE.toNanos(), PAUSE_FACTOR * took);
  }
}
