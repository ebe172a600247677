package io.tidemill.redis.stream;

import io.tidemill.redis.Redis;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import redis.clients.jedis.Protocol.Command;

/// The position of one reader in one stream. Used by one thread; fed by the shard that it joins.
public final class TailReader implements AutoCloseable {
  private static final long RETRY_NANOS = 5_000_000;
  private static final int PAGE_MIN = 4;
  private static final int PAGE_MAX = 256;
  private static final int MAX_WEIGHT = 64 * 1024;

  private final Redis redis;
  private final TailShard shard;
  private final String stream;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final ArrayDeque<StreamEntry> waiting = new ArrayDeque<>();
  private int weight;
  private boolean joined;

  private volatile String lastId;
  private int page = 16;

  TailReader(Redis redis, TailShard shard, String stream, String afterId) {
    this.redis = redis;
    this.shard = shard;
    this.stream = stream;
    this.lastId = afterId;
  }

  /// The next entries, in order; empty when none came within `wait`.
  public List<StreamEntry> next(Duration wait) throws InterruptedException {
    var deadline = System.nanoTime() + wait.toNanos();
    while (true) {
      var entries = isLive() ? take(deadline - System.nanoTime()) : catchUp();
      if (!entries.isEmpty()) {
        lastId = entries.getLast().id();
        return entries;
      }
      var left = deadline - System.nanoTime();
      if (left <= 0) return List.of();
      // The shard is about to hand out unseen entries, or this reader is ahead of it.
      if (!isLive()) TimeUnit.NANOSECONDS.sleep(Math.min(left, RETRY_NANOS));
    }
  }

  private boolean isLive() {
    lock.lock();
    try {
      return joined || !waiting.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  private List<StreamEntry> take(long nanos) throws InterruptedException {
    lock.lock();
    try {
      var left = nanos;
      while (waiting.isEmpty() && joined && left > 0) left = arrived.awaitNanos(left);
      var taken = new ArrayList<StreamEntry>(waiting);
      waiting.clear();
      weight = 0;
      return taken;
    } finally {
      lock.unlock();
    }
  }

  // Pages to the end of the stream, then joins the shard unless that is already further.
  private List<StreamEntry> catchUp() {
    var entries =
        Redis.list(redis.call(Command.XRANGE, stream, "(" + lastId, "+", "COUNT", page)).stream()
            .map(StreamEntry::of)
            .toList();
    if (entries.isEmpty()) {
      lock.lock();
      try {
        joined = shard.join(this);
      } finally {
        lock.unlock();
      }
      return entries;
    }
    var read = entries.stream().mapToInt(StreamEntry::weight).sum();
    page = read > MAX_WEIGHT / 2 ? Math.max(PAGE_MIN, page / 2) : Math.min(PAGE_MAX, page * 2);
    return entries;
  }

  /// Called by the shard's thread, without the shard's lock.
  ///
  /// @return whether the reader stays; one with a full queue leaves and catches up later
  boolean offer(StreamEntry entry) {
    lock.lock();
    try {
      if (StreamEntry.compare(entry.id(), lastId) <= 0) return true;
      if (!waiting.isEmpty() && weight + entry.weight() > MAX_WEIGHT) joined = false;
      if (joined) {
        waiting.add(entry);
        weight += entry.weight();
      }
      arrived.signal();
      return joined;
    } finally {
      lock.unlock();
    }
  }

  String stream() {
    return stream;
  }

  String lastId() {
    return lastId;
  }

  @Override
  public void close() {
    shard.leave(this);
  }
}
