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

/// Messages of AMQP queues that could not be handled. Who looks at them holds them meanwhile, so it
/// looks only when their number has changed, and not often.
final class DeadQueueFeed implements RecordFeed {
  private static final Duration AT_MOST_EVERY = Duration.ofSeconds(30);
  private static final Duration AT_LEAST_EVERY = Duration.ofMinutes(10);
  private static final Duration TURN = Duration.ofSeconds(15);

  private final String source;
  private final DeadQueueReader letters;
  private final Supplier<OptionalLong> depth;
  private final RedisLock turns;
  private long seen;
  private long lookedAt;
  private boolean looked;

  /// @param source the queue whose messages died
  /// @param depth how many letters there are, as far as is known; must cost nothing
  DeadQueueFeed(
      String source,
      DeadQueueReader letters,
      Supplier<OptionalLong> depth,
      RedisLock turns,
      RecordIndex index) {
    this.source = source;
    this.letters = letters;
    this.depth = depth;
    this.turns = turns;
    seen = index.ofSource(RecordKind.DEAD.wire(), source).size();
  }

  @Override
  public int round(RecordIndex index, Duration patience) {
    var now = depth.get();
    return now.isPresent() && isDue(now.getAsLong()) ? look(now.getAsLong(), index) : 0;
  }

  private boolean isDue(long count) {
    if (!looked) return count > 0 || seen > 0;
    var since = System.nanoTime() - lookedAt;
    return count != seen
        ? since > AT_MOST_EVERY.toNanos()
        : count > 0 && since > AT_LEAST_EVERY.toNanos();
  }

  // The gateway takes the same turns when somebody asks for the letters.
  private int look(long count, RecordIndex index) {
    var holder = UUID.randomUUID().toString();
    var turn = "dead:" + source;
    if (!turns.take(turn, holder, TURN)) return 0;
    looked = true;
    lookedAt = System.nanoTime();
    try {
      var found = new HashSet<String>();
      var all =
          letters.forEach(letter -> {
            var thing = DeadLetterRecords.of(source, letter);
            if (found.add(thing.id())) index.put(thing);
          });
      if (all) forget(found, index);
      seen = count;
      return found.size();
    } finally {
      turns.leave(turn, holder);
    }
  }

  private void forget(Set<String> found, RecordIndex index) {
    for (var id : index.ofSource(RecordKind.DEAD.wire(), source)) {
      if (!found.contains(id)) index.remove(RecordKind.DEAD.wire(), id);
    }
  }

  @Override
  public Map<String, String> marks() {
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
    letters.close();
  }
}
