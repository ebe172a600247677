package io.tidemill.dashboard.recordsearch;

import io.tidemill.amqp.inspect.DeadQueueReader;
import io.tidemill.recordsearch.RecordIndex;
import io.tidemill.redis.RedisLock;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/// Dead letters of AMQP queues. Reading them holds them meanwhile, so they are read only when their
/// number has changed, and not often.
final class DeadQueueFeed implements RecordFeed {
  private static final Duration AT_MOST_EVERY = Duration.ofSeconds(30);
  private static final Duration AT_LEAST_EVERY = Duration.ofMinutes(10);
  private static final Duration LEASE = Duration.ofSeconds(15);

  private final String source;
  private final DeadQueueReader reader;
  private final Supplier<OptionalLong> depth;
  private final RedisLock locks;
  private long seen;
  private long readAt;
  private boolean wasRead;

  /// @param source the original queue
  /// @param depth the number of dead letters, as far as is known; must not block
  DeadQueueFeed(
      String source,
      DeadQueueReader reader,
      Supplier<OptionalLong> depth,
      RedisLock locks,
      RecordIndex index) {
    this.source = source;
    this.reader = reader;
    this.depth = depth;
    this.locks = locks;
    seen = index.ofSource(RecordKind.DEAD.wire(), source).size();
  }

  @Override
  public int poll(RecordIndex index, Duration patience) {
    var now = depth.get();
    return now.isPresent() && isDue(now.getAsLong()) ? read(now.getAsLong(), index) : 0;
  }

  private boolean isDue(long count) {
    if (!wasRead) return count > 0 || seen > 0;
    var since = System.nanoTime() - readAt;
    return count != seen
        ? since > AT_MOST_EVERY.toNanos()
        : count > 0 && since > AT_LEAST_EVERY.toNanos();
  }

  // The gateway takes the same lock to list dead letters.
  private int read(long count, RecordIndex index) {
    var holder = UUID.randomUUID().toString();
    var lock = "dead:" + source;
    if (!locks.take(lock, holder, LEASE)) return 0;
    wasRead = true;
    readAt = System.nanoTime();
    try {
      var found = new HashSet<String>();
      var all =
          reader.forEach(message -> {
            var record = DeadLetterRecords.of(source, message);
            if (found.add(record.id())) index.put(record);
          });
      if (all) removeMissing(found, index);
      seen = count;
      return found.size();
    } finally {
      locks.leave(lock, holder);
    }
  }

  private void removeMissing(Set<String> found, RecordIndex index) {
    for (var id : index.ofSource(RecordKind.DEAD.wire(), source)) {
      if (!found.contains(id)) index.remove(RecordKind.DEAD.wire(), id);
    }
  }

  @Override
  public Map<String, String> checkpoint() {
    return Map.of();
  }

  @Override
  public long behind() {
    return 0;
  }

  @Override
  public long skipped() {
    return 0;
  }

  @Override
  public void close() {
    reader.close();
  }
}
