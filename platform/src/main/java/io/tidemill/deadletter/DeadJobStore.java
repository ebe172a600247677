package io.tidemill.deadletter;

import static java.util.Objects.requireNonNull;

import io.tidemill.contract.job.DeadJob;
import io.tidemill.contract.job.JobCodec;
import io.tidemill.contract.job.JobNames;
import io.tidemill.contract.job.JobSubmission;
import io.tidemill.deadletter.HandledDeadLetterStore.How;
import io.tidemill.job.JobBacklog;
import io.tidemill.job.JobsConfig;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisCommand;
import io.tidemill.redis.Script;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Queue entries that nobody could work off (C3.8), and how they become jobs again.
public final class DeadJobStore {
  /// The name of these dead letters among those that were handled.
  public static final String SOURCE = "jobs";

  private static final Script REDRIVE = Script.load(DeadJobStore.class, "redrive_dead_job.lua");
  private static final Script GONE =
      Script.load(DeadJobStore.class, "/io/tidemill/redis/find_missing_entries.lua");
  private static final Script DISCARD = Script.load(DeadJobStore.class, "discard_dead_job.lua");

  private final Redis redis;
  private final JobNames names;
  private final InstantSource clock;
  private final JobBacklog line;

  public DeadJobStore(Redis redis, JobsConfig config, InstantSource clock) {
    this.redis = redis;
    this.names = config.names();
    this.clock = clock;
    this.line = new JobBacklog(redis, config, clock);
  }

  /// Dead entries, the newest first.
  public List<DeadJob> newest(int most) {
    return newest(null, most);
  }

  /// Dead entries older than this one, the newest first.
  public List<DeadJob> newest(@Nullable String before, int most) {
    var from = before == null ? "+" : "(" + before;
    return Redis.list(redis.call(RedisCommand.XREVRANGE, JobNames.DEAD, from, "-", "COUNT", most))
        .stream()
        .map(DeadJobStore::deadJob)
        .toList();
  }

  /// Dead entries younger than this one, the oldest first.
  public List<DeadJob> since(String after, int most) {
    return Redis.list(
            redis.call(RedisCommand.XRANGE, JobNames.DEAD, "(" + after, "+", "COUNT", most))
        .stream()
        .map(DeadJobStore::deadJob)
        .toList();
  }

  /// Which of these are no longer there.
  public List<String> gone(List<String> ids) {
    if (ids.isEmpty()) return List.of();
    return Redis.list(redis.run(GONE, List.of(JobNames.DEAD), ids)).stream()
        .map(Redis::text)
        .toList();
  }

  /// One dead entry.
  public Optional<DeadJob> find(String id) {
    return Redis.list(redis.call(RedisCommand.XRANGE, JobNames.DEAD, id, id)).stream()
        .map(DeadJobStore::deadJob)
        .findFirst();
  }

  /// How many entries are dead.
  public long count() {
    return (Long) requireNonNull(redis.call(RedisCommand.XLEN, JobNames.DEAD));
  }

  /// How a dead entry becomes a job.
  ///
  /// @param keepsEntry whether the entry stays, as one that was redriven
  /// @param again even if that was done before
  public record Mode(boolean keepsEntry, boolean again) {}

  /// What came of it.
  public enum Redriven {
    CREATED,
    /// The entry is no longer there.
    GONE,
    /// It was redriven before, and stays.
    BEFORE
  }

  /// Makes a new job in place of a dead entry; once for each new id.
  public Redriven redrive(
      String deadId, String newId, JobSubmission job, @Nullable String traceparent, Mode mode) {
    var arguments = new ArrayList<Object>(List.of(deadId, newId, job.task().wire(), job.payload()));
    arguments.addAll(
        List.of(
            clock.millis(),
            job.ttlSeconds(),
            JobNames.STEP_REDRIVE,
            traceparent == null ? "" : traceparent,
            names.group(),
            JobNames.job(""),
            JobBacklog.DEFAULT_TENANT));
    arguments.addAll(line.rules(job.task()));
    arguments.add(mode.keepsEntry() ? "1" : "0");
    arguments.add(mode.again() ? "1" : "0");
    var keys =
        List.of(
            JobNames.DEAD,
            JobNames.job(newId),
            JobNames.events(newId),
            names.stream(),
            HandledDeadLetterStore.key(How.REDRIVEN, SOURCE));
    var answer = redis.run(REDRIVE, keys, arguments);
    return switch (Redis.text(Redis.list(answer).getFirst())) {
      case "created" -> Redriven.CREATED;
      case "before" -> Redriven.BEFORE;
      case "gone" -> Redriven.GONE;
      case String other -> throw new IllegalStateException("a dead entry was redriven: " + other);
    };
  }

  /// Takes a dead entry out for good; what is kept about its job stays.
  ///
  /// @return whether it was there
  public boolean discard(String id) {
    var keys =
        List.of(
            JobNames.DEAD,
            HandledDeadLetterStore.key(How.REDRIVEN, SOURCE),
            HandledDeadLetterStore.key(How.DISCARDED, SOURCE));
    return (Long) requireNonNull(redis.run(DISCARD, keys, List.of(id))) == 1;
  }

  private static DeadJob deadJob(Object reply) {
    var entry = Redis.list(reply);
    return JobCodec.decodeDead(Redis.text(entry.get(0)), Redis.map(entry.get(1)));
  }
}
