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

/// The audit log: the newest entries, in the stream `audit`.
///
/// Entries are written in the background, in order. While Redis is away they are buffered; beyond
/// the buffer they are dropped, counted and logged.
public final class AuditLog implements Service {
  /// Size of the buffer.
  static final int ROOM = 5_000;

  /// Refused requests of each user that are recorded per minute: a client without permissions must
  /// not push older entries out of the stream.
  static final int REFUSED = 60;

  private static final Logger log = LoggerFactory.getLogger(AuditLog.class);
  private static final Script APPEND = Script.load(AuditLog.class, "append_entry.lua");
  private static final String STREAM = "audit";
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final Duration STOP_WAIT = Duration.ofSeconds(5);
  private static final int FORBIDDEN = 403;
  private static final int BATCH = 100;
  private static final int PAGE = 500;
  private static final int PAGES = 40;

  /// A stored entry.
  public record StoredEntry(String id, Instant at, AuditEntry entry) {}

  /// @param next cursor of the next page; null at the end
  public record Found(List<StoredEntry> entries, @Nullable String next) {}

  private record Pending(long at, AuditEntry entry) {}

  // Wakes up the writer.
  private static final Pending STOP =
      new Pending(0, new AuditEntry("", "", "", "", "", "", 0, "", ""));

  private final Redis redis;
  private final int keep;
  private final InstantSource clock;
  private final BlockingQueue<Pending> pending = new ArrayBlockingQueue<>(ROOM);
  private final AtomicBoolean isDropping = new AtomicBoolean();
  private final Counter lost;
  private final Counter skipped;
  private final Thread thread = Thread.ofVirtual().name("audit").unstarted(this::write);
  private final Map<String, Integer> refused = new HashMap<>();
  private Instant minuteEnds = Instant.MIN;
  private volatile long deadline = Long.MAX_VALUE;
  private volatile boolean stopping;

  /// @param keep length of the stream
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
    Gauge.builder("audit.waiting", pending::size)
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

  /// Writes the buffered entries within a time limit.
  @Override
  public void stop() {
    if (thread.getState() == Thread.State.NEW) return;
    deadline = System.nanoTime() + STOP_WAIT.toNanos();
    stopping = true;
    pending.offer(STOP); // when full, the writer is awake
    try {
      if (!thread.join(STOP_WAIT.plus(STOP_WAIT))) thread.interrupt();
    } catch (InterruptedException hurry) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
    pending.remove(STOP);
    drop(pending.size(), "the process stopped");
  }

  /// Buffers an entry and returns at once.
  public void append(AuditEntry entry) {
    if (isOverLimit(entry)) {
      skipped.increment();
      return;
    }
    if (!pending.offer(new Pending(clock.millis(), entry))) drop(1, "Redis is away for too long");
  }

  private synchronized boolean isOverLimit(AuditEntry entry) {
    if (!entry.role().isEmpty() && entry.status() != FORBIDDEN) return false;
    var now = clock.instant();
    if (!minuteEnds.isAfter(now)) {
      minuteEnds = now.plus(MINUTE);
      refused.clear();
    }
    return refused.merge(entry.who(), 1, Integer::sum) > REFUSED;
  }

  private void drop(int entries, String why) {
    if (entries == 0) return;
    lost.increment(entries);
    if (isDropping.compareAndSet(false, true))
      log.error("entries of the audit trail are lost: {}", why);
  }

  private void write() {
    var batch = new ArrayList<Pending>(BATCH);
    try {
      while (!stopping || !pending.isEmpty()) {
        batch.add(pending.take());
        pending.drainTo(batch, BATCH - 1);
        batch.remove(STOP);
        if (!batch.isEmpty()) writeUntilDone(batch);
        batch.clear();
      }
    } catch (InterruptedException stop) {
      drop(batch.size(), "the process stopped");
    }
  }

  private void writeUntilDone(List<Pending> batch) throws InterruptedException {
    var arguments = new ArrayList<Object>(List.of(keep));
    for (var one : batch) arguments.add(encode(one));
    // A key per batch: one whose reply was lost is not written twice.
    var keys = List.of(STREAM, "audit:batch:" + UUID.randomUUID());
    for (var failed = false; ; failed = true) {
      try {
        redis.run(APPEND, keys, arguments);
        isDropping.set(false);
        return;
      } catch (RedisException away) {
        if (away.isRefusal() || (stopping && System.nanoTime() - deadline > 0)) {
          drop(batch.size(), String.valueOf(away.getMessage()));
          return;
        }
        if (!failed) log.warn("the audit trail waits: {}", away.getMessage());
        Thread.sleep(PAUSE);
      } catch (RuntimeException unexpected) {
        // Without this thread nothing would be written any more.
        log.error("the audit trail", unexpected);
        drop(batch.size(), String.valueOf(unexpected.getMessage()));
        return;
      }
    }
  }

  private static String encode(Pending one) {
    return Json.text(one.entry().encode().put("at", one.at()));
  }

  /// Entries, the newest first; a long search without a match ends early, with a cursor.
  ///
  /// @param before only entries older than this id; empty = all
  /// @param user exact name; empty = all
  /// @param action part of method and route, such as `POST /api/crawls`; empty = any
  /// @throws RedisException may be repeated
  public Found newest(String before, String user, String action, int most) {
    var filter = filter(user, action);
    var found = new ArrayList<StoredEntry>();
    var last = before;
    for (int page = 0; page < PAGES; page++) {
      var from = last.isEmpty() ? "+" : "(" + last;
      var entries =
          Redis.list(redis.call(RedisCommand.XREVRANGE, STREAM, from, "-", "COUNT", PAGE));
      for (var reply : entries) {
        var stored = stored(reply);
        if (filter.test(stored.entry())) {
          if (found.size() == most) return new Found(found, last);
          found.add(stored);
        }
        last = stored.id();
      }
      if (entries.size() < PAGE) return new Found(found, null);
    }
    return new Found(found, last);
  }

  private static Predicate<AuditEntry> filter(String user, String action) {
    var part = action.toLowerCase(Locale.ROOT);
    return entry ->
        (user.isEmpty() || entry.who().equals(user))
            && (entry.method() + " " + entry.route()).toLowerCase(Locale.ROOT).contains(part);
  }

  private static StoredEntry stored(Object reply) {
    var raw = Redis.list(reply);
    var id = Redis.text(raw.getFirst());
    var tree = Json.parse(Redis.map(raw.getLast()).getOrDefault("entry", "{}"));
    return new StoredEntry(
        id, Instant.ofEpochMilli(tree.path("at").asLong(0)), AuditEntry.decode(tree));
  }
}
