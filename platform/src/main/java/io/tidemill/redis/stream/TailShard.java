package io.tidemill.redis.stream;

import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisException;
import io.tidemill.work.Backoff;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisException;

/// One connection that tails its share of the streams with one blocking XREAD.
final class TailShard {
  private static final Logger log = LoggerFactory.getLogger(TailShard.class);
  private static final Duration BLOCK = Duration.ofSeconds(1);
  private static final int COUNT = 64;
  private static final int UNBLOCK_TRIES = 20;
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(2));

  private final Redis redis;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition readerJoined = lock.newCondition();
  private final Map<String, Followed> followed = new HashMap<>();
  private boolean changed;
  private long blockedClient;
  private volatile boolean stopping;

  /// A stream with its position and its readers.
  private static final class Followed {
    private String cursor;
    private final List<TailReader> readers = new ArrayList<>();

    Followed(String cursor) {
      this.cursor = cursor;
    }
  }

  TailShard(Redis redis, int number) {
    this.redis = redis;
    thread = Thread.ofPlatform().daemon().name("stream-tail-" + number).unstarted(this::follow);
  }

  void start() {
    thread.start();
  }

  void stop() {
    stopping = true;
    thread.interrupt();
    wakeUp();
  }

  int streams() {
    lock.lock();
    try {
      return followed.size();
    } finally {
      lock.unlock();
    }
  }

  /// Adds a reader; false when the shard has already read past its position.
  ///
  /// Called with the reader's lock held, so no thread may wait for that lock while it holds this
  /// one.
  boolean join(TailReader reader) {
    long blocked;
    lock.lock();
    try {
      var stream = followed.computeIfAbsent(reader.stream(), _ -> new Followed(reader.lastId()));
      if (StreamEntry.compare(stream.cursor, reader.lastId()) > 0) return false;
      if (stream.readers.isEmpty()) changed = true;
      stream.readers.add(reader);
      readerJoined.signal();
      blocked = changed ? blockedClient : 0;
    } finally {
      lock.unlock();
    }
    if (blocked != 0) unblock(blocked);
    return true;
  }

  void leave(TailReader reader) {
    lock.lock();
    try {
      var stream = followed.get(reader.stream());
      if (stream == null) return;
      stream.readers.remove(reader);
      if (stream.readers.isEmpty()) followed.remove(reader.stream());
    } finally {
      lock.unlock();
    }
  }

  private void wakeUp() {
    lock.lock();
    try {
      readerJoined.signal();
    } finally {
      lock.unlock();
    }
  }

  // A new stream must not wait for the blocking read to time out. The read may not have reached
  // Redis yet, so unblocking it is retried.
  private void unblock(long client) {
    try {
      var tries = 0;
      while (isUnseen(client)
          && !Objects.equals(redis.call(Command.CLIENT, "UNBLOCK", client), 1L)) {
        if (++tries == UNBLOCK_TRIES) return;
        Thread.onSpinWait();
      }
    } catch (RedisException refused) {
      log.debug("could not unblock the tail: it notices within {}", BLOCK);
    }
  }

  private boolean isUnseen(long client) {
    lock.lock();
    try {
      return changed && blockedClient == client;
    } finally {
      lock.unlock();
    }
  }

  private void follow() {
    Connection connection = null;
    long client = 0;
    var failures = 0;
    while (!stopping) {
      try {
        var cursors = awaitCursors();
        if (connection == null) {
          connection = redis.connect((int) BLOCK.toMillis() + 5_000);
          client = (Long) connection.executeCommand(redis.command(Command.CLIENT, "ID"));
        }
        fanOut(cursors, read(connection, client, cursors));
        failures = 0;
      } catch (JedisException broken) {
        Redis.disconnect(connection);
        connection = null;
        if (stopping) break;
        if (++failures == 1) log.warn("tail lost Redis: {}", broken.getMessage());
        BACKOFF.pause(failures);
      } catch (InterruptedException stopped) {
        break;
      }
    }
    Redis.disconnect(connection);
  }

  private Map<String, String> awaitCursors() throws InterruptedException {
    lock.lock();
    try {
      while (followed.isEmpty() && !stopping) readerJoined.await();
      var cursors = new HashMap<String, String>(followed.size() * 2);
      followed.forEach((stream, state) -> cursors.put(stream, state.cursor));
      changed = false;
      return cursors;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Object read(Connection connection, long client, Map<String, String> cursors) {
    if (cursors.isEmpty()) return null;
    var arguments =
        new ArrayList<Object>(List.of("COUNT", COUNT, "BLOCK", BLOCK.toMillis(), "STREAMS"));
    arguments.addAll(cursors.keySet());
    arguments.addAll(cursors.values());
    var command = redis.command(Command.XREAD, arguments.toArray());
    if (!mayBlock(client)) return null;
    try {
      return connection.executeCommand(command);
    } finally {
      mayBlock(0);
    }
  }

  // A reader that joins after this point sees the id and unblocks the read.
  private boolean mayBlock(long client) {
    lock.lock();
    try {
      blockedClient = client;
      return !changed || client == 0;
    } finally {
      lock.unlock();
    }
  }

  /// @param cursors where each stream was read from; a stream whose last reader left meanwhile and
  ///   got a new one may have another cursor, and that reader must not skip or repeat entries
  void fanOut(Map<String, String> cursors, @Nullable Object reply) {
    for (var perStream : Redis.list(reply)) {
      var pair = Redis.list(perStream);
      var name = redis.original(Redis.text(pair.get(0)));
      var entries = Redis.list(pair.get(1)).stream().map(StreamEntry::of).toList();
      List<TailReader> readers;
      lock.lock();
      try {
        var stream = followed.get(name);
        if (stream == null || entries.isEmpty()) continue;
        if (!stream.cursor.equals(cursors.get(name))) continue; // the next read begins there
        // First the cursor: a reader that joins from here on either has these entries or is
        // refused.
        stream.cursor = entries.getLast().id();
        readers = List.copyOf(stream.readers);
      } finally {
        lock.unlock();
      }
      for (var reader : readers) {
        if (!entries.stream().allMatch(reader::offer)) leave(reader);
      }
    }
  }
}
