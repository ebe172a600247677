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

/// Stores redrives, their dead letters, which are fixed at the start, and the outcomes.
///
/// A process holds a redrive by a lease, with a fencing token against processes that have lost it.
/// Every method may throw [io.tidemill.redis.RedisException] and may then be repeated.
public final class RedriveStore {
  /// The number of dead letters that one redrive may have.
  public static final int MAX_DEAD_LETTERS = 10_000;

  private static final Script CREATE = Script.load(RedriveStore.class, "create_redrive.lua");
  private static final Script TAKE = Script.load(RedriveStore.class, "take_redrive.lua");
  private static final Script STEP = Script.load(RedriveStore.class, "record_redrive_step.lua");
  private static final Script RECORD =
      Script.load(RedriveStore.class, "record_redrive_outcome.lua");
  private static final Script CANCEL = Script.load(RedriveStore.class, "cancel_redrive.lua");
  private static final Script RELEASE = Script.load(RedriveStore.class, "release_redrive.lua");
  private static final String PREFIX = "redrive:";
  private static final String ALL = "redrives";
  private static final int BATCH = 1_000;

  /// The lease of this process on a redrive.
  ///
  /// @param fence larger than that of every earlier holder
  public record Held(String id, long fence) {}

  /// An outcome and when it was recorded.
  public record RecordedOutcome(RedriveOutcome outcome, Instant at) {}

  /// How the holder continues.
  public enum Next {
    GO,
    DONE,
    CANCELED,
    /// Another process has taken over.
    FENCED
  }

  private final Redis redis;
  private final Duration lease;
  private final Duration keep;

  /// @param lease how long a holder may be silent before another process takes over
  /// @param keep how long a redrive is kept
  public RedriveStore(Redis redis, Duration lease, Duration keep) {
    this.redis = redis;
    this.lease = lease;
    this.keep = keep;
  }

  public Duration lease() {
    return lease;
  }

  /// Only the last step makes the redrive visible, so a crash before it leaves nothing to run.
  public void create(String id, List<DeadLetterRef> refs, Redrive.Order order) {
    if (refs.size() > MAX_DEAD_LETTERS) {
      throw new IllegalArgumentException("more than " + MAX_DEAD_LETTERS + " dead letters");
    }
    redis.call(RedisCommand.DEL, deadLetters(id));
    for (int i = 0; i < refs.size(); i += BATCH) {
      var arguments = new ArrayList<Object>(List.of(deadLetters(id)));
      arguments.addAll(RedriveCodec.encode(refs.subList(i, Math.min(refs.size(), i + BATCH))));
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

  /// Its dead letter of this number; empty behind the last one.
  public Optional<DeadLetterRef> deadLetter(String id, int number) {
    return Redis.list(redis.call(RedisCommand.LRANGE, deadLetters(id), number, number)).stream()
        .map(reply -> RedriveCodec.decodeRef(Redis.text(reply)))
        .findFirst();
  }

  /// The outcomes of its dead letters, from this number on.
  public List<RecordedOutcome> results(String id, int from, int most) {
    return Redis.list(redis.call(RedisCommand.LRANGE, results(id), from, from + most - 1)).stream()
        .map(reply -> RedriveCodec.decodeResult(Redis.text(reply)))
        .toList();
  }

  /// Takes the lease on a redrive that no process holds.
  public Optional<Held> take() {
    var arguments = List.of(PREFIX, lease.toMillis(), keep.toMillis());
    var reply = Redis.list(redis.run(TAKE, List.of(), arguments));
    if (reply.isEmpty()) return Optional.empty();
    return Optional.of(new Held(Redis.text(reply.get(0)), (Long) reply.get(1)));
  }

  /// Records that a dead letter is about to be handled.
  ///
  /// @param checkpoint lets a successor find out whether it was
  public Next begin(Held held, int number, String checkpoint) {
    return step(held, String.valueOf(number), checkpoint, "");
  }

  /// Extends the lease.
  ///
  /// @param waitsFor what keeps it from continuing; empty = nothing
  public Next renew(Held held, String waitsFor) {
    return step(held, "", "", waitsFor);
  }

  private Next step(Held held, String number, String checkpoint, String waitsFor) {
    var arguments =
        List.of(held.id(), held.fence(), lease.toMillis(), number, checkpoint, waitsFor);
    return RedriveCodec.next(Redis.text(redis.run(STEP, List.of(key(held.id())), arguments)));
  }

  /// Records the outcome of a dead letter.
  ///
  /// @param isLast whether the redrive is done with it
  public Next record(Held held, int number, RedriveOutcome outcome, boolean isLast) {
    var arguments =
        List.of(
            held.id(),
            held.fence(),
            lease.toMillis(),
            number,
            outcome.kind().wire(),
            RedriveCodec.encode(outcome),
            keep.toMillis(),
            isLast ? "1" : "0");
    var keys = List.of(key(held.id()), results(held.id()));
    return RedriveCodec.next(Redis.text(redis.run(RECORD, keys, arguments)));
  }

  /// Ends the lease: another process may take over at once.
  public void release(Held held) {
    redis.run(RELEASE, List.of(key(held.id())), List.of(held.id(), held.fence()));
  }

  /// Cancels a redrive that is running.
  ///
  /// @return its final state; empty when there is no such redrive
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
