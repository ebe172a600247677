package io.tidemill.crawl;

import io.tidemill.contract.crawl.Crawl;
import io.tidemill.contract.crawl.CrawlCodec;
import io.tidemill.contract.crawl.CrawlKey;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.contract.crawl.CrawlRequest;
import io.tidemill.contract.crawl.CrawlStatus;
import io.tidemill.json.Json;
import io.tidemill.redis.BulkRead;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisCommand;
import io.tidemill.redis.Script;
import io.tidemill.redis.stream.StreamEntry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Crawls as their owners see them, in Redis (C1.3). Each change is one step: all of it or nothing.
///
/// Every method may throw [RedisException] and may then be repeated.
public final class CrawlStore {
  private static final Script CREATE = Script.load(CrawlStore.class, "create_crawl.lua");
  private static final Script SAVE = Script.load(CrawlStore.class, "save_crawl.lua");
  private static final int SCAN_STEP = 100;
  private static final String UNPUBLISHED = "crawls:unpublished";
  private static final String RECENT = "crawls:recent";
  private static final int LONGEST_COUNT = 32;

  /// What an attempt to end a crawl found.
  public enum Ended {
    /// It is ended now.
    NOW,
    /// It had ended before; nothing was changed.
    BEFORE,
    /// There is no such crawl.
    UNKNOWN
  }

  private final Redis redis;
  private final Duration keep;
  private final InstantSource clock;
  private final BulkRead bulkRead;

  /// @param keep how long the progress of an ended crawl can be looked at; its entity stays
  public CrawlStore(Redis redis, Duration keep, InstantSource clock) {
    this.redis = redis;
    this.keep = keep;
    this.clock = clock;
    this.bulkRead = new BulkRead(redis);
  }

  /// Notes a new crawl, and that it is still to be published (C1.4).
  ///
  /// @param doubtAfter when another gateway may publish it
  public void create(CrawlRequest request, @Nullable String traceparent, Duration doubtAfter) {
    var now = clock.millis();
    var arguments = new ArrayList<Object>();
    arguments.add(request.id());
    arguments.add(CrawlCodec.encodeNew(request));
    arguments.add(now);
    arguments.add(now + doubtAfter.toMillis());
    arguments.addAll(List.of(CrawlFields.OWNER, request.email(), CrawlFields.URL, request.url()));
    arguments.addAll(List.of(CrawlFields.CREATED, request.createdAt()));
    CrawlCodec.encodeHeaders(request)
        .forEach((name, value) -> arguments.addAll(List.of(header(name), value)));
    if (traceparent != null) {
      arguments.addAll(List.of(header(CrawlNames.TRACEPARENT), traceparent));
    }
    redis.run(CREATE, keys(request.email(), request.id()), arguments);
  }

  private static String header(String name) {
    return CrawlFields.HEADER_PREFIX + name;
  }

  /// Notes that the broker has the request.
  public void published(String id) {
    redis.call(RedisCommand.ZREM, UNPUBLISHED, id);
  }

  /// Crawls whose publishing is in doubt; they come again after the time given.
  public List<String> inDoubt(int most, Duration again) {
    var now = clock.millis();
    var ids =
        Redis.list(
            redis.call(RedisCommand.ZRANGEBYSCORE, UNPUBLISHED, "-inf", now, "LIMIT", 0, most));
    for (var id : ids) redis.call(RedisCommand.ZADD, UNPUBLISHED, "XX", now + again.toMillis(), id);
    return ids.stream().map(Redis::text).toList();
  }

  /// Whether it is not known yet that the broker has the request.
  public boolean isUnpublished(String id) {
    return redis.call(RedisCommand.ZSCORE, UNPUBLISHED, id) != null;
  }

  /// How many crawls wait for being published.
  public long unpublished() {
    return (Long) Objects.requireNonNull(redis.call(RedisCommand.ZCARD, UNPUBLISHED));
  }

  /// Ends a crawl with its result; an ended one stays as it is (C1.3).
  public Ended end(CrawlKey key, CrawlStatus status, JsonNode result, String eventData) {
    return end(key, status, result, eventData, false);
  }

  /// Ends a crawl, and makes crawlers stop working on it.
  public Ended withdraw(CrawlKey key, CrawlStatus status, JsonNode result, String eventData) {
    return end(key, status, result, eventData, true);
  }

  private Ended end(
      CrawlKey key, CrawlStatus status, JsonNode result, String eventData, boolean isWithdrawn) {
    while (true) {
      var stored = redis.call(RedisCommand.HGET, CrawlNames.crawls(key.email()), key.id());
      if (stored == null) return Ended.UNKNOWN;
      var before = Redis.text(stored);
      var crawl = CrawlCodec.decode(before).orElse(null);
      if (crawl == null) return Ended.UNKNOWN;
      if (crawl.status().isTerminal()) return Ended.BEFORE;
      var after = CrawlCodec.encodeEnded(crawl, status, result);
      if (save(key, before, after, status, eventData, isWithdrawn)) return Ended.NOW;
    }
  }

  private boolean save(
      CrawlKey key,
      String before,
      String after,
      CrawlStatus status,
      String eventData,
      boolean isWithdrawn) {
    var arguments =
        List.of(
            key.id(),
            before,
            after,
            status.wire(),
            eventData,
            clock.millis(),
            keep.toSeconds(),
            isWithdrawn ? "1" : "0",
            CrawlNames.CANCEL_CHANNEL);
    return Long.valueOf(1).equals(redis.run(SAVE, keys(key.email(), key.id()), arguments));
  }

  private static List<String> keys(String email, String id) {
    return List.of(
        CrawlNames.crawls(email), CrawlNames.crawl(id), CrawlNames.events(id), UNPUBLISHED);
  }

  /// The owner of a crawl.
  public Optional<CrawlKey> owner(String id) {
    return Optional.ofNullable(
            redis.call(RedisCommand.HGET, CrawlNames.crawl(id), CrawlFields.OWNER))
        .map(email -> new CrawlKey(Redis.text(email), id));
  }

  /// The crawl; where its entity holds the text of a page only, the result has the rest, too.
  public Optional<Crawl> find(CrawlKey key) {
    return Optional.ofNullable(
            redis.call(RedisCommand.HGET, CrawlNames.crawls(key.email()), key.id()))
        .flatMap(json -> CrawlCodec.decode(Redis.text(json)))
        .map(crawl -> withDetails(key, crawl));
  }

  private Crawl withDetails(CrawlKey key, Crawl crawl) {
    if (!crawl.result().isString()) return crawl;
    var details = redis.call(RedisCommand.HGET, CrawlNames.details(key.email()), key.id());
    if (details == null || !(Json.parse(Redis.text(details)) instanceof ObjectNode page)) {
      return crawl;
    }
    return crawl.withResult(page.set("text", crawl.result()));
  }

  /// How many crawls an owner has.
  public long count(String email) {
    return (Long) Objects.requireNonNull(redis.call(RedisCommand.HLEN, CrawlNames.crawls(email)));
  }

  /// One line of an owner's list.
  public record Listed(String id, CrawlStatus status, String createdAt) {}

  /// The crawls of an owner, unordered, without results: those may be large.
  public List<Listed> list(String email) {
    var all = new HashMap<String, Listed>();
    var cursor = "0";
    do {
      var reply =
          Redis.list(
              redis.call(RedisCommand.HSCAN, CrawlNames.crawls(email), cursor, "COUNT", SCAN_STEP));
      cursor = Redis.text(reply.get(0));
      for (var entry : Redis.map(reply.get(1)).entrySet()) {
        CrawlCodec.decode(entry.getValue())
            .ifPresent(crawl -> all.put(entry.getKey(), listed(entry.getKey(), crawl)));
      }
    } while (!cursor.equals("0"));
    return List.copyOf(all.values());
  }

  private static Listed listed(String id, Crawl crawl) {
    return new Listed(id, crawl.status(), crawl.createdAt());
  }

  /// The crawls of all owners that came lately.
  ///
  /// @param total how many of them are known
  public record Page(List<Crawl> crawls, long total) {
    public Page {
      crawls = List.copyOf(crawls);
    }
  }

  /// The newest first, whichever gateway took them in.
  ///
  /// @param status null for all
  public Page recent(@Nullable CrawlStatus status, int limit, int offset) {
    var set = status == null ? RECENT : RECENT + ":" + status.wire();
    var crawls = new ArrayList<Crawl>();
    for (var member :
        Redis.list(redis.call(RedisCommand.ZREVRANGE, set, offset, offset + limit - 1))) {
      var key = key(Redis.text(member));
      find(key).filter(crawl -> isStill(crawl, status, Redis.text(member))).ifPresent(crawls::add);
    }
    return new Page(crawls, (Long) Objects.requireNonNull(redis.call(RedisCommand.ZCARD, set)));
  }

  private static CrawlKey key(String member) {
    var tab = member.indexOf('\t');
    return new CrawlKey(member.substring(tab + 1), member.substring(0, tab));
  }

  // Gateways of other programs end crawls without updating these lists: they are corrected here.
  private boolean isStill(Crawl crawl, @Nullable CrawlStatus status, String member) {
    if (status == null || crawl.status() == status) return true;
    var at = redis.call(RedisCommand.ZSCORE, RECENT, member);
    redis.call(RedisCommand.ZREM, RECENT + ":" + status.wire(), member);
    if (at != null) {
      redis.call(
          RedisCommand.ZADD, RECENT + ":" + crawl.status().wire(), "NX", Redis.text(at), member);
    }
    return false;
  }

  /// The crawl beside its entity: request, state, progress; empty when nothing is kept of it.
  public Optional<CrawlRecord> record(String id) {
    return CrawlRecord.load(redis, id);
  }

  /// The progress of each crawl, in their order, read at once; empty where nothing is kept.
  public List<Optional<CrawlCounters>> counters(List<String> ids) {
    var keys = ids.stream().map(CrawlNames::crawl).toList();
    return bulkRead.hashes(keys, LONGEST_COUNT, CrawlCounters.FIELDS).stream()
        .map(fields -> Optional.of(fields).filter(it -> !it.isEmpty()).map(CrawlCounters::of))
        .toList();
  }

  /// The lines about the pages of a crawl.
  public List<String> lines(String id, int from, int most) {
    var key = CrawlNames.crawl(id) + ":pages";
    return Redis.list(redis.call(RedisCommand.LRANGE, key, from, from + most - 1)).stream()
        .map(Redis::text)
        .toList();
  }

  /// Pages of a crawl that are fetched but not stored as a batch yet (C5.7).
  public long unkept(String id) {
    var items = CrawlNames.crawl(id) + ":items";
    return (Long) Objects.requireNonNull(redis.call(RedisCommand.LLEN, items));
  }

  /// The latest event of a crawl: its id and type.
  public Optional<Map.Entry<String, String>> lastEvent(String id) {
    return StreamEntry.last(redis, CrawlNames.events(id))
        .map(entry -> Map.entry(entry.id(), entry.fields().getOrDefault("type", "")));
  }

  /// Whether anything is known of a crawl.
  public boolean exists(String id) {
    return Long.valueOf(1).equals(redis.call(RedisCommand.EXISTS, CrawlNames.events(id)));
  }
}
