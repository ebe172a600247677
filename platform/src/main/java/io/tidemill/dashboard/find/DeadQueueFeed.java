package io.tidemill.dashboard.find;

import io.tidemill.broker.amqp.DeadQueue;
import io.tidemill.store.redis.Turns;
import io.tidemill.store.search.things.ThingIndex;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/// Messages of AMQP queues that could not be handled. Who looks at them holds them meanwhile, so it
/// looks only when their number has changed, and not often.
final class DeadQueueFeed implements Feed {
  private static final Duration AT_MOST_EVERY = Duration.ofSeconds(30);
  private static final Duration AT_LEAST_EVERY = Duration.ofMinutes(10);
  private static final Duration TURN = Duration.ofSeconds(15);

  private final String source;
  private final DeadQueue letters;
  private final Supplier<OptionalLong> depth;
  private final Turns turns;
  private long seen;
  private long lookedAt;
  private boolean looked;

  /// @param source the queue whose messages died
  /// @param depth how many letters there are, as far as is known; must cost nothing
  DeadQueueFeed(
      String source,
      DeadQueue letters,
      Supplier<OptionalLong> depth,
      Turns turns,
      ThingIndex index) {
    this.source = source;
    this.letters = letters;
    this.depth = depth;
    this.turns = turns;
    seen = index.ofSource(Kind.DEAD.wire(), source).size();
  }

  @Override
  public int round(ThingIndex index, Duration patience) {
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
  private int look(long count, ThingIndex index) {
    var holder = UUID.randomUUID().toString();
    var turn = "dead:" + source;
    if (!turns.take(turn, holder, TURN)) return 0;
    looked = true;
    lookedAt = System.nanoTime();
    try {
      var found = new HashSet<String>();
      var all =
          letters.forEach(letter -> {
            var thing = DeadThings.of(source, letter);
            if (found.add(thing.id())) index.put(thing);
          });
      if (all) forget(found, index);
      seen = count;
      return found.size();
    } finally {
      turns.leave(turn, holder);
    }
  }

  private void forget(Set<String> found, ThingIndex index) {
    for (var id : index.ofSource(Kind.DEAD.wire(), source)) {
      if (!found.contains(id)) index.remove(Kind.DEAD.wire(), id);
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
