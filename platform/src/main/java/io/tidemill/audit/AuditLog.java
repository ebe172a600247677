package io.tidemill.audit;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.json.Json;
import io.tidemill.observe.AuditEntry;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisCommand;
import io.tidemill.redis.RedisException;
import io.tidemill.redis.Script;
import io.tidemill.service.Service;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Who changed what: the newest entries, in the stream `audit`.
///
/// Entries are written in the background, soon and in order. While Redis is away they wait, up to a
/// number; what comes then is lost, counted and said so in the log.
public final class AuditLog implements Service {
  /// Entries that wait for Redis at most.
  static final int ROOM = 5_000;

  /// Requests of strangers, and refusals of each name, that are written down in a minute: nobody
  /// can wash the trail away who may change nothing.
  static final int REFUSED = 60;

  private static final Logger log = LoggerFactory.getLogger(AuditLog.class);
  private static final Script APPEND = Script.load(AuditLog.class, "append_entry.lua");
  private static final String STREAM = "audit";
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final Duration LAST_WORDS = Duration.ofSeconds(5);
  private static final int FORBIDDEN = 403;
  private static final int BATCH = 100;
  private static final int PAGE = 500;
  private static final int PAGES = 40;

  /// An entry as it is kept.
  public record Kept(String id, Instant at, AuditEntry entry) {}

  /// @param next where to go on; null at the end
  public record Found(List<Kept> entries, @Nullable String next) {}

  private record Waiting(long at, AuditEntry entry) {}

  // Wakes the thread when nothing else does.
  private static final Waiting STOP =
      new Waiting(0, new AuditEntry("", "", "", "", "", "", 0, "", ""));

  private final Redis redis;
  private final int keep;
  private final InstantSource clock;
  private final BlockingQueue<Waiting> waiting = new ArrayBlockingQueue<>(ROOM);
  private final AtomicBoolean losing = new AtomicBoolean();
  private final Counter lost;
  private final Counter skipped;
  private final Thread thread = Thread.ofVirtual().name("audit").unstarted(this::write);
  private final Map<String, Integer> refused = new HashMap<>();
  private Instant minuteEnds = Instant.MIN;
  private volatile long deadline = Long.MAX_VALUE;
  private volatile boolean stopping;

  /// @param keep entries that are kept, the newest
  public AuditLog(Redis redis, int keep, MeterRegistry metrics, InstantSource clock) {
    this.redis = redis;
    this.keep = keep;
    this.clock = clock;
    lost =
        Counter.builder("audit.lost")
            .description("Entries of the audit trail that could not be written")
            .register(metrics);
    skipped =
        Counter.builder("audit.skipped")
            .description("Refused requests beyond those that are written down in a minute")
            .register(metrics);
    Gauge.builder("audit.waiting", waiting::size)
        .description("Entries of the audit trail that wait to be written")
        .register(metrics);
  }

  @Override
  public String name() {
    return "audit";
  }

  @Override
  public void start() {
    thread.start();
  }

  /// Writes what waits, for as long as a stop may take.
  @Override
  public void stop() {
    if (thread.getState() == Thread.State.NEW) return;
    deadline = System.nanoTime() + LAST_WORDS.toNanos();
    stopping = true;
    waiting.offer(STOP); // no room = it is awake
    try {
      if (!thread.join(LAST_WORDS.plus(LAST_WORDS))) thread.interrupt();
    } catch (InterruptedException hurry) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
    waiting.remove(STOP);
    lose(waiting.size(), "the process stopped");
  }

  /// Takes an entry and returns at once.
  public void append(AuditEntry entry) {
    if (isOneTooMany(entry)) {
      skipped.increment();
      return;
    }
    if (!waiting.offer(new Waiting(clock.millis(), entry))) lose(1, "Redis is away for too long");
  }

  private synchronized boolean isOneTooMany(AuditEntry entry) {
    if (!entry.role().isEmpty() && entry.status() != FORBIDDEN) return false;
    var now = clock.instant();
    if (!minuteEnds.isAfter(now)) {
      minuteEnds = now.plus(MINUTE);
      refused.clear();
    }
    return refused.merge(entry.who(), 1, Integer::sum) > REFUSED;
  }

  private void lose(int entries, String why) {
    if (entries == 0) return;
    lost.increment(entries);
    if (losing.compareAndSet(false, true))
      log.error("entries of the audit trail are lost: {}", why);
  }

  private void write() {
    var batch = new ArrayList<Waiting>(BATCH);
    try {
      while (!stopping || !waiting.isEmpty()) {
        batch.add(waiting.take());
        waiting.drainTo(batch, BATCH - 1);
        batch.remove(STOP);
        if (!batch.isEmpty()) writeUntilDone(batch);
        batch.clear();
      }
    } catch (InterruptedException stop) {
      lose(batch.size(), "the process stopped");
    }
  }

  private void writeUntilDone(List<Waiting> batch) throws InterruptedException {
    var arguments = new ArrayList<Object>(List.of(keep));
    for (var one : batch) arguments.add(encode(one));
    // Its own name for each batch: one whose answer got lost is not written twice.
    var keys = List.of(STREAM, "audit:batch:" + UUID.randomUUID());
    for (var failed = false; ; failed = true) {
      try {
        redis.run(APPEND, keys, arguments);
        losing.set(false);
        return;
      } catch (RedisException away) {
        if (away.isRefusal() || (stopping && System.nanoTime() - deadline > 0)) {
          lose(batch.size(), String.valueOf(away.getMessage()));
          return;
        }
        if (!failed) log.warn("the audit trail waits: {}", away.getMessage());
        Thread.sleep(PAUSE);
      } catch (RuntimeException unexpected) {
        // Without this thread nothing would be written down any more.
        log.error("the audit trail", unexpected);
        lose(batch.size(), String.valueOf(unexpected.getMessage()));
        return;
      }
    }
  }

  private static String encode(Waiting one) {
    return Json.text(one.entry().encode().put("at", one.at()));
  }

  /// Entries, the newest first; a long way without a match ends early, with where to go on.
  ///
  /// @param before only those older than this id; empty = all
  /// @param who exactly so called; empty = everybody
  /// @param action part of method and route, such as `POST /api/crawls`; empty = any
  /// @throws RedisException may be repeated
  public Found newest(String before, String who, String action, int most) {
    var wanted = wanted(who, action);
    var found = new ArrayList<Kept>();
    var last = before;
    for (int page = 0; page < PAGES; page++) {
      var from = last.isEmpty() ? "+" : "(" + last;
      var entries =
          Redis.list(redis.call(RedisCommand.XREVRANGE, STREAM, from, "-", "COUNT", PAGE));
      for (var reply : entries) {
        var kept = kept(reply);
        if (wanted.test(kept.entry())) {
          if (found.size() == most) return new Found(found, last);
          found.add(kept);
        }
        last = kept.id();
      }
      if (entries.size() < PAGE) return new Found(found, null);
    }
    return new Found(found, last);
  }

  private static Predicate<AuditEntry> wanted(String who, String action) {
    var part = action.toLowerCase(Locale.ROOT);
    return entry ->
        (who.isEmpty() || entry.who().equals(who))
            && (entry.method() + " " + entry.route()).toLowerCase(Locale.ROOT).contains(part);
  }

  private static Kept kept(Object reply) {
    var raw = Redis.list(reply);
    var id = Redis.text(raw.getFirst());
    var tree = Json.parse(Redis.map(raw.getLast()).getOrDefault("entry", "{}"));
    return new Kept(id, Instant.ofEpochMilli(tree.path("at").asLong(0)), AuditEntry.decode(tree));
  }
}
