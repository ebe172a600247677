package io.tidemill.deadletter;

import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisCommand;
import io.tidemill.redis.Script;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Undertakings to send many dead letters on their way again, or to discard them: the letters,
/// frozen when it began, how far it is, and what became of each.
///
/// Whoever works on one holds it by lease; a number fences off those who lost it. Every method may
/// throw [RedisException] and may then be repeated.
public final class RedriveStore {
  /// How many letters one may have.
  public static final int MOST = 10_000;

  private static final Script CREATE = Script.load(RedriveStore.class, "create_redrive.lua");
  private static final Script TAKE = Script.load(RedriveStore.class, "take_redrive.lua");
  private static final Script STEP = Script.load(RedriveStore.class, "record_redrive_step.lua");
  private static final Script NOTE = Script.load(RedriveStore.class, "note_redrive.lua");
  private static final Script CANCEL = Script.load(RedriveStore.class, "cancel_redrive.lua");
  private static final Script LEAVE = Script.load(RedriveStore.class, "release_redrive.lua");
  private static final String PREFIX = "redrive:";
  private static final String ALL = "redrives";
  private static final int PORTION = 1_000;

  /// A letter of a run.
  public record Wanted(String source, String id) {}

  /// A run in the hands of this process.
  ///
  /// @param fence tells it from those who held the run before
  public record Held(String id, long fence) {}

  /// Whether to go on.
  public enum Next {
    GO,
    DONE,
    CANCELED,
    /// Somebody else has taken over.
    FENCED
  }

  /// What is to be done with the letters of a run.
  public enum Action {
    REDRIVE,
    DISCARD;

    /// As it is asked for and told.
    public String wire() {
      return switch (this) {
        case REDRIVE -> "redrive";
        case DISCARD -> "discard";
      };
    }
  }

  /// What became of a letter.
  public enum End {
    REDRIVEN,
    DISCARDED,
    FAILED,
    SKIPPED;

    /// As it stands in results, and as it is counted.
    public String wire() {
      return switch (this) {
        case REDRIVEN -> "redriven";
        case DISCARDED -> "discarded";
        case FAILED -> "failed";
        case SKIPPED -> "skipped";
      };
    }
  }

  private final Redis redis;
  private final Duration lease;
  private final Duration keep;

  /// @param lease how long a worker may be silent before another goes on
  /// @param keep how long a run can be looked at
  public RedriveStore(Redis redis, Duration lease, Duration keep) {
    this.redis = redis;
    this.lease = lease;
    this.keep = keep;
  }

  public Duration lease() {
    return lease;
  }

  /// Begins a run. Only the last step makes it known, so who dies before leaves nothing to do.
  ///
  /// @param facts what is to be remembered of it
  public void create(String id, List<Wanted> letters, Map<String, String> facts) {
    if (letters.size() > MOST) throw new IllegalArgumentException("more than " + MOST + " letters");
    redis.call(RedisCommand.DEL, letters(id));
    for (int i = 0; i < letters.size(); i += PORTION) {
      var arguments = new ArrayList<Object>(List.of(letters(id)));
      for (var letter : letters.subList(i, Math.min(letters.size(), i + PORTION))) {
        arguments.add(letter.source() + " " + letter.id());
      }
      redis.call(RedisCommand.RPUSH, arguments.toArray());
      redis.call(RedisCommand.PEXPIRE, letters(id), keep.toMillis());
    }
    var arguments = new ArrayList<Object>(List.of(id, keep.toMillis()));
    facts.forEach((name, value) -> arguments.addAll(List.of(name, value)));
    redis.run(CREATE, List.of(key(id), letters(id), ALL), arguments);
  }

  /// What is remembered of a run; empty when there is none.
  public Optional<Map<String, String>> find(String id) {
    return Optional.of(Redis.map(redis.call(RedisCommand.HGETALL, key(id))))
        .filter(facts -> !facts.isEmpty());
  }

  /// The newest first.
  public List<Map<String, String>> newest(int most) {
    return Redis.list(redis.call(RedisCommand.ZREVRANGE, ALL, 0, most - 1)).stream()
        .map(id -> find(Redis.text(id)))
        .flatMap(Optional::stream)
        .toList();
  }

  /// Letters of a run, from this number on.
  public List<Wanted> letters(String id, int from, int most) {
    return Redis.list(redis.call(RedisCommand.LRANGE, letters(id), from, from + most - 1)).stream()
        .map(Redis::text)
        .map(text -> {
          var blank = text.indexOf(' ');
          return new Wanted(text.substring(0, blank), text.substring(blank + 1));
        })
        .toList();
  }

  /// What became of letters, as JSON, from this number on.
  public List<String> results(String id, int from, int most) {
    return Redis.list(redis.call(RedisCommand.LRANGE, results(id), from, from + most - 1)).stream()
        .map(Redis::text)
        .toList();
  }

  /// A run that nobody works on.
  public Optional<Held> take() {
    var arguments = List.of(PREFIX, lease.toMillis(), keep.toMillis());
    var reply = Redis.list(redis.run(TAKE, List.of(), arguments));
    if (reply.isEmpty()) return Optional.empty();
    return Optional.of(new Held(Redis.text(reply.get(0)), (Long) reply.get(1)));
  }

  /// Notes that a letter is about to be handled: who takes over knows that it may be.
  ///
  /// @param mark what will tell whether it was
  public Next begin(Held held, int number, String mark) {
    return step(held, String.valueOf(number), mark, "");
  }

  /// Keeps a run.
  ///
  /// @param trouble what it waits for; empty = nothing
  public Next renew(Held held, String trouble) {
    return step(held, "", "", trouble);
  }

  private Next step(Held held, String number, String mark, String trouble) {
    var arguments = List.of(held.id(), held.fence(), lease.toMillis(), number, mark, trouble);
    return next(redis.run(STEP, List.of(key(held.id())), arguments));
  }

  /// Notes what became of a letter.
  ///
  /// @param result a JSON object
  public Next note(Held held, int number, End end, String result) {
    var arguments =
        List.of(
            held.id(), held.fence(), lease.toMillis(), number, end.wire(), result, keep.toMillis());
    return next(redis.run(NOTE, List.of(key(held.id()), results(held.id())), arguments));
  }

  private static Next next(@Nullable Object reply) {
    return switch (Redis.text(reply)) {
      case "go" -> Next.GO;
      case "done" -> Next.DONE;
      case "canceled" -> Next.CANCELED;
      default -> Next.FENCED;
    };
  }

  /// Lets somebody else go on at once.
  public void leave(Held held) {
    redis.run(LEAVE, List.of(key(held.id())), List.of(held.id(), held.fence()));
  }

  /// Ends a run.
  ///
  /// @return `canceled`, `unknown`, or how it had ended
  public String cancel(String id) {
    return Redis.text(redis.run(CANCEL, List.of(key(id)), List.of(id)));
  }

  private static String key(String id) {
    return PREFIX + id;
  }

  private static String letters(String id) {
    return key(id) + ":letters";
  }

  private static String results(String id) {
    return key(id) + ":results";
  }
}
