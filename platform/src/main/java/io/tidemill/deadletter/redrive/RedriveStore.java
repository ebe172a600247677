package io.tidemill.deadletter.redrive;

import io.tidemill.deadletter.DeadLetterRef;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisCommand;
import io.tidemill.redis.Script;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Redrives and what became of their dead letters, which are frozen when it begins.
///
/// Whoever works on one holds it by lease; a number fences off those who lost it. Every method may
/// throw [io.tidemill.redis.RedisException] and may then be repeated.
public final class RedriveStore {
  /// How many dead letters one redrive may have.
  public static final int MOST = 10_000;

  private static final Script CREATE = Script.load(RedriveStore.class, "create_redrive.lua");
  private static final Script TAKE = Script.load(RedriveStore.class, "take_redrive.lua");
  private static final Script STEP = Script.load(RedriveStore.class, "record_redrive_step.lua");
  private static final Script NOTE = Script.load(RedriveStore.class, "note_redrive.lua");
  private static final Script CANCEL = Script.load(RedriveStore.class, "cancel_redrive.lua");
  private static final Script RELEASE = Script.load(RedriveStore.class, "release_redrive.lua");
  private static final String PREFIX = "redrive:";
  private static final String ALL = "redrives";
  private static final int PORTION = 1_000;

  /// A redrive in the hands of this process.
  ///
  /// @param fence tells it from those who held it before
  public record Held(String id, long fence) {}

  /// An outcome and when it was noted.
  public record Noted(RedriveOutcome outcome, Instant at) {}

  /// Whether to go on.
  public enum Next {
    GO,
    DONE,
    CANCELED,
    /// Somebody else has taken over.
    FENCED
  }

  private final Redis redis;
  private final Duration lease;
  private final Duration keep;

  /// @param lease how long a worker may be silent before another goes on
  /// @param keep how long a redrive can be looked at
  public RedriveStore(Redis redis, Duration lease, Duration keep) {
    this.redis = redis;
    this.lease = lease;
    this.keep = keep;
  }

  public Duration lease() {
    return lease;
  }

  /// Begins one. Only the last step makes it known, so who dies before leaves nothing to do.
  public void create(String id, List<DeadLetterRef> refs, Redrive.Order order) {
    if (refs.size() > MOST) {
      throw new IllegalArgumentException("more than " + MOST + " dead letters");
    }
    redis.call(RedisCommand.DEL, deadLetters(id));
    for (int i = 0; i < refs.size(); i += PORTION) {
      var arguments = new ArrayList<Object>(List.of(deadLetters(id)));
      arguments.addAll(RedriveCodec.encode(refs.subList(i, Math.min(refs.size(), i + PORTION))));
      redis.call(RedisCommand.RPUSH, arguments.toArray());
      redis.call(RedisCommand.PEXPIRE, deadLetters(id), keep.toMillis());
    }
    var arguments = new ArrayList<Object>(List.of(id, keep.toMillis()));
    arguments.addAll(RedriveCodec.encode(order));
    redis.run(CREATE, List.of(key(id), deadLetters(id), ALL), arguments);
  }

  /// Empty when there is none.
  public Optional<Redrive> find(String id) {
    return RedriveCodec.decode(Redis.map(redis.call(RedisCommand.HGETALL, key(id))));
  }

  /// The newest first.
  public List<Redrive> newest(int most) {
    return Redis.list(redis.call(RedisCommand.ZREVRANGE, ALL, 0, most - 1)).stream()
        .map(id -> find(Redis.text(id)))
        .flatMap(Optional::stream)
        .toList();
  }

  /// Its dead letter of this number; empty when it has no more.
  public Optional<DeadLetterRef> deadLetter(String id, int number) {
    return Redis.list(redis.call(RedisCommand.LRANGE, deadLetters(id), number, number)).stream()
        .map(reply -> RedriveCodec.decodeRef(Redis.text(reply)))
        .findFirst();
  }

  /// What became of its dead letters, from this number on.
  public List<Noted> results(String id, int from, int most) {
    return Redis.list(redis.call(RedisCommand.LRANGE, results(id), from, from + most - 1)).stream()
        .map(reply -> RedriveCodec.decodeNoted(Redis.text(reply)))
        .toList();
  }

  /// One that nobody works on.
  public Optional<Held> take() {
    var arguments = List.of(PREFIX, lease.toMillis(), keep.toMillis());
    var reply = Redis.list(redis.run(TAKE, List.of(), arguments));
    if (reply.isEmpty()) return Optional.empty();
    return Optional.of(new Held(Redis.text(reply.get(0)), (Long) reply.get(1)));
  }

  /// Notes that a dead letter is about to be handled: who takes over knows that it may be.
  ///
  /// @param checkpoint what will tell whether it was
  public Next begin(Held held, int number, String checkpoint) {
    return step(held, String.valueOf(number), checkpoint, "");
  }

  /// Keeps one.
  ///
  /// @param waitsFor what keeps it from going on; empty = nothing
  public Next renew(Held held, String waitsFor) {
    return step(held, "", "", waitsFor);
  }

  private Next step(Held held, String number, String checkpoint, String waitsFor) {
    var arguments =
        List.of(held.id(), held.fence(), lease.toMillis(), number, checkpoint, waitsFor);
    return RedriveCodec.next(Redis.text(redis.run(STEP, List.of(key(held.id())), arguments)));
  }

  /// Notes what became of a dead letter.
  public Next note(Held held, int number, RedriveOutcome outcome) {
    var arguments =
        List.of(
            held.id(),
            held.fence(),
            lease.toMillis(),
            number,
            outcome.kind().wire(),
            RedriveCodec.encode(outcome),
            keep.toMillis());
    var keys = List.of(key(held.id()), results(held.id()));
    return RedriveCodec.next(Redis.text(redis.run(NOTE, keys, arguments)));
  }

  /// Lets somebody else go on at once.
  public void release(Held held) {
    redis.run(RELEASE, List.of(key(held.id())), List.of(held.id(), held.fence()));
  }

  /// Ends one, unless it has ended.
  ///
  /// @return how it has ended; empty when there is none
  public Optional<Redrive.State> cancel(String id) {
    return RedriveCodec.canceled(Redis.text(redis.run(CANCEL, List.of(key(id)), List.of(id))));
  }

  private static String key(String id) {
    return PREFIX + id;
  }

  private static String deadLetters(String id) {
    return key(id) + ":letters";
  }

  private static String results(String id) {
    return key(id) + ":results";
  }
}
