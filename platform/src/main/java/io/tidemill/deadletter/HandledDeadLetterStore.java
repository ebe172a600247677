package io.tidemill.deadletter;

import static java.util.Objects.requireNonNull;

import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisCommand;
import io.tidemill.redis.Script;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/// What was done about dead letters that stay where they lie, such as those in a topic, which can't
/// be changed.
///
/// There is a note for each, by the name of its source and its own; of two notes about one the
/// later counts. [#tidy] forgets those of dead letters that are no longer there.
public final class HandledDeadLetterStore {
  /// The source of tasks that failed for good; dead letters of a topic or queue have its name.
  public static final String TASKS = "failed-tasks";

  private static final Script NOTE = Script.load(HandledDeadLetterStore.class, "note_handled.lua");
  private static final int PORTION = 1_000;

  /// What was done.
  public enum How {
    /// It was sent on its way again.
    REDRIVEN,
    /// Nobody wants it any more.
    DISCARDED
  }

  /// @param at when it was done
  public record Note(How how, Instant at) {}

  private final Redis redis;

  public HandledDeadLetterStore(Redis redis) {
    this.redis = redis;
  }

  /// @param letter names the dead letter for good, so that a topic that was made anew starts clean
  public void note(String source, String letter, How how, Instant at) {
    var other = how == How.REDRIVEN ? How.DISCARDED : How.REDRIVEN;
    redis.run(
        NOTE, List.of(key(how, source), key(other, source)), List.of(letter, at.toEpochMilli()));
  }

  /// Takes the note back: the dead letter is gone.
  public void forget(String source, String letter) {
    forget(source, List.of(letter));
  }

  private void forget(String source, List<String> letters) {
    if (letters.isEmpty()) return;
    for (var how : How.values())
      redis.call(RedisCommand.HDEL, arguments(key(how, source), letters));
  }

  /// The notes about those of them that have one.
  public Map<String, Note> of(String source, List<String> letters) {
    if (letters.isEmpty()) return Map.of();
    var notes = new HashMap<String, Note>();
    for (var how : How.values()) {
      var times = Redis.list(redis.call(RedisCommand.HMGET, arguments(key(how, source), letters)));
      for (int i = 0; i < letters.size(); i++) {
        var time = times.get(i);
        if (time != null) notes.put(letters.get(i), new Note(how, time(time)));
      }
    }
    return notes;
  }

  private static Instant time(Object reply) {
    return Instant.ofEpochMilli(Long.parseLong(Redis.text(reply)));
  }

  private static Object[] arguments(String key, List<String> letters) {
    var arguments = new ArrayList<Object>(List.of(key));
    arguments.addAll(letters);
    return arguments.toArray();
  }

  /// How many dead letters of a source have a note of this kind, those included that are gone since
  /// the last [#tidy].
  public long count(String source, How how) {
    return (Long) requireNonNull(redis.call(RedisCommand.HLEN, key(how, source)));
  }

  /// How many dead letters of a source have a note of any kind.
  public long count(String source) {
    return count(source, How.REDRIVEN) + count(source, How.DISCARDED);
  }

  /// The dead letters of a source that have a note.
  public Set<String> all(String source) {
    var all = new HashSet<String>();
    scan(source, all::addAll);
    return all;
  }

  /// Forgets the notes of dead letters that are gone: there are never more notes than those.
  ///
  /// @param gone those among some dead letters that are no longer there
  public void tidy(String source, UnaryOperator<List<String>> gone) {
    scan(source, letters -> forget(source, gone.apply(letters)));
  }

  private void scan(String source, Consumer<List<String>> reader) {
    for (var how : How.values()) {
      var cursor = "0";
      do {
        var reply =
            Redis.list(redis.call(RedisCommand.HSCAN, key(how, source), cursor, "COUNT", PORTION));
        var letters = List.copyOf(Redis.map(reply.get(1)).keySet());
        if (!letters.isEmpty()) reader.accept(letters);
        cursor = Redis.text(reply.get(0));
      } while (!cursor.equals("0"));
    }
  }

  static String key(How how, String source) {
    return switch (how) {
      case REDRIVEN -> "dead:redriven:" + source;
      case DISCARDED -> "dead:discarded:" + source;
    };
  }
}
