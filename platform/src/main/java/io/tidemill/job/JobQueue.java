package io.tidemill.job;

import io.tidemill.contract.job.JobCodec;
import io.tidemill.contract.job.JobFields;
import io.tidemill.contract.job.JobNames;
import io.tidemill.redis.CallBatcher;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisException;
import io.tidemill.redis.Script;
import io.tidemill.work.Lease;
import io.tidemill.work.Settlement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The queue of jobs as a worker uses it: takes and starts jobs, appends their events, settles
/// their entries (C3.7, C3.8). Each change is one script, fenced by the lease.
///
/// Every method may throw [RedisException]. Every change but [#emit] and [#take] may then be
/// repeated without taking effect twice.
public final class JobQueue {
  private static final Script TAKE = Script.load(JobQueue.class, "take_jobs.lua");
  private static final Script START = Script.load(JobQueue.class, "start_job.lua");
  private static final Script EMIT = Script.load(JobQueue.class, "append_event.lua");
  private static final Script EXTEND = Script.load(JobQueue.class, "extend_ttl.lua");
  private static final Script SETTLE = Script.load(JobQueue.class, "settle_jobs.lua");
  private static final Script BURY = Script.load(JobQueue.class, "bury_entry.lua");
  private static final Script SET_ASIDE = Script.load(JobQueue.class, "set_entry_aside.lua");

  /// Whether a worker may continue with a job.
  public enum Hold {
    RUNNING,
    CANCELED,
    /// The job ended or expired, or another worker holds its entry.
    LOST;

    private static Hold of(@Nullable Object reply) {
      return switch (Redis.text(reply)) {
        case "appended", "running" -> RUNNING;
        case "canceled" -> CANCELED;
        default -> LOST;
      };
    }
  }

  /// The result of a settlement.
  public enum Settled {
    FINISHED,
    /// The entry stays for another attempt.
    PENDING,
    /// The job had ended before.
    ENDED,
    /// The job had expired.
    GONE,
    /// Another worker holds the entry.
    FENCED
  }

  /// The result of setting an entry aside.
  public enum SetAside {
    PARKED,
    /// No worker does the task.
    NOBODY,
    /// The job expired or has ended; the entry is acknowledged.
    SKIPPED,
    /// Another worker holds the entry.
    FENCED
  }

  private record Change(HeldJob job, JobTransition next, Map<String, byte[]> entry) {}

  private final Redis redis;
  private final JobNames names;
  private final InstantSource clock;
  private final int defaultTtlSeconds;
  private final JobBacklog backlog;
  private final CallBatcher<Change, Object> changes = new CallBatcher<>(this::settleAll);

  public JobQueue(Redis redis, JobsConfig config, InstantSource clock) {
    this.redis = redis;
    this.names = config.names();
    this.clock = clock;
    this.defaultTtlSeconds = config.ttlS();
    this.backlog = new JobBacklog(redis, config, clock);
  }

  /// Reads new entries and starts their jobs, without waiting for any.
  ///
  /// @param tasks those that may be started, a comma before and behind each, or empty for all
  public List<TakenJob> take(String consumer, int most, String tasks) {
    var arguments = new ArrayList<Object>(List.of(names.group(), consumer, most, clock.millis()));
    arguments.addAll(
        List.of(
            JobNames.STEP_START,
            defaultTtlSeconds,
            JobNames.job(""),
            JobNames.EVENTS_SUFFIX,
            JobNames.idempotency("")));
    arguments.addAll(backlog.rules());
    arguments.add(tasks);
    var reply = redis.run(TAKE, List.of(names.stream()), arguments);
    return Redis.list(reply).stream().map(entry -> taken(consumer, Redis.list(entry))).toList();
  }

  private enum Taken {
    RUN,
    SKIPPED,
    READ
  }

  private TakenJob taken(String consumer, List<Object> entry) {
    var attempt = number(entry.get(4));
    var id = Redis.text(entry.get(0));
    var lease = new Lease(names.stream(), names.group(), consumer, id, attempt);
    var started =
        switch (Redis.constant(Taken.class, entry.get(2))) {
          case RUN -> new StartedJob.Run(number(entry.get(3)), attempt);
          case SKIPPED -> new StartedJob.Skipped();
          case READ -> null;
        };
    return new TakenJob(lease, Redis.rawMap(entry.get(1)), started);
  }

  private enum Start {
    RUN,
    SKIPPED,
    FENCED
  }

  /// Starts a job for the delivery that the lease stands for.
  ///
  /// @return the call, which may be repeated: its time tells a repetition from another start
  public Supplier<StartedJob> start(HeldJob job) {
    var keys = new ArrayList<>(keys(job));
    var key = job.idempotencyKey();
    if (key != null) keys.add(JobNames.idempotency(key));
    var arguments = fence(job.lease());
    arguments.addAll(List.of(clock.millis(), JobNames.STEP_START, defaultTtlSeconds, job.jobId()));
    return () -> {
      var answer = Redis.list(redis.run(START, keys, arguments));
      return switch (Redis.constant(Start.class, answer.getFirst())) {
        case RUN -> new StartedJob.Run(number(answer.get(1)), number(answer.get(2)));
        case SKIPPED -> new StartedJob.Skipped();
        case FENCED -> new StartedJob.Fenced();
      };
    };
  }

  /// Appends an event of a running job; nothing when it is not [Hold#RUNNING].
  public Hold emit(HeldJob job, JobTransition.Event event) {
    var arguments = fence(job.lease());
    arguments.addAll(
        List.of(clock.millis(), event.type(), event.step(), event.data(), defaultTtlSeconds));
    return Hold.of(redis.run(EMIT, keys(job), arguments));
  }

  /// Keeps running jobs from expiring.
  ///
  /// @return the state of each, in the same order
  public List<Hold> extend(List<HeldJob> jobs) {
    if (jobs.isEmpty()) return List.of();
    var keys = new ArrayList<String>();
    for (var job : jobs) addKeys(keys, job);
    var reply = redis.run(EXTEND, keys, List.of(defaultTtlSeconds));
    return Redis.list(reply).stream().map(Hold::of).toList();
  }

  /// Sets an entry aside for a worker that does its task.
  ///
  /// @param consumerTtl how long after its last heartbeat a worker counts as alive
  /// @param taskTtl how long after the last heartbeat with the task it counts as done by a worker
  public SetAside setAside(HeldJob job, Duration consumerTtl, Duration taskTtl) {
    var arguments = fence(job.lease());
    arguments.addAll(
        List.of(job.task(), consumerTtl.toMillis(), taskTtl.toMillis(), defaultTtlSeconds));
    return Redis.constant(SetAside.class, redis.run(SET_ASIDE, keys(job), arguments));
  }

  /// Carries out a transition: state, event and settlement. Calls that come at the same time share
  /// a script.
  ///
  /// @param entry the fields of the queue entry, for a dead letter
  public Settled settle(HeldJob job, JobTransition next, Map<String, byte[]> entry) {
    var reply = changes.call(new Change(job, next, entry));
    if (reply instanceof List<?> refused) {
      throw RedisException.refusal(Redis.text(refused.getFirst()));
    }
    return Redis.constant(Settled.class, reply);
  }

  private List<Object> settleAll(List<Change> changes) {
    var keys = new ArrayList<>(List.of(names.stream(), JobNames.DEAD));
    var now = clock.millis();
    var arguments = new ArrayList<Object>(List.of(names.group(), now, defaultTtlSeconds));
    arguments.add(JobNames.job(""));
    arguments.addAll(backlog.rules());
    arguments.add(backlog.isLimited() ? 1 : 0);
    for (var change : changes) {
      addKeys(keys, change.job());
      addArguments(arguments, change);
    }
    return Redis.list(redis.run(SETTLE, keys, arguments));
  }

  private void addArguments(List<Object> arguments, Change change) {
    var lease = change.job().lease();
    var next = change.next();
    var event = next.event();
    arguments.addAll(List.of(lease.entry(), lease.consumer(), lease.attempt()));
    arguments.addAll(
        List.of(word(next.settlement()), next.status().wire(), next.result(), next.error()));
    arguments.addAll(
        event == null ? List.of("", "", "") : List.of(event.type(), event.step(), event.data()));
    List<Object> letter =
        next.settlement() instanceof Settlement.DeadLetter(var why)
            ? deadLetter(lease, change.job().jobId(), next.code(), why, change.entry())
            : List.of();
    arguments.add(letter.size());
    arguments.addAll(letter);
  }

  private static String word(Settlement settlement) {
    return switch (settlement) {
      case Settlement.Done _ -> "done";
      case Settlement.Retry _ -> "retry";
      case Settlement.Defer _ -> "defer";
      case Settlement.DeadLetter _ -> "dead_letter";
    };
  }

  /// Moves an entry that names no job to the dead stream, and acknowledges it.
  ///
  /// @param entry its fields
  public void bury(Lease lease, String reason, String message, Map<String, byte[]> entry) {
    var arguments = fence(lease);
    arguments.addAll(deadLetter(lease, "", reason, message, entry));
    redis.run(BURY, List.of(names.stream(), JobNames.DEAD), arguments);
  }

  private List<Object> deadLetter(
      Lease lease, String jobId, String reason, String message, Map<String, byte[]> entry) {
    return List.of(
        JobFields.ORIGIN, lease.stream(),
        JobFields.ORIGIN_ID, lease.entry(),
        JobFields.GROUP, lease.group(),
        JobFields.CONSUMER, lease.consumer(),
        JobFields.ATTEMPTS, lease.attempt(),
        JobFields.REASON, reason,
        JobFields.MESSAGE, message,
        JobFields.JOB_ID, jobId,
        JobFields.TS, clock.millis(),
        JobFields.FIELDS, JobCodec.encodeFields(entry));
  }

  private static List<String> keys(HeldJob job) {
    return List.of(job.lease().stream(), JobNames.job(job.jobId()), JobNames.events(job.jobId()));
  }

  private static void addKeys(List<String> keys, HeldJob job) {
    keys.add(JobNames.job(job.jobId()));
    keys.add(JobNames.events(job.jobId()));
    var key = job.idempotencyKey();
    keys.add(key == null ? JobNames.job(job.jobId()) : JobNames.idempotency(key));
  }

  private static List<Object> fence(Lease lease) {
    return new ArrayList<>(
        List.of(lease.group(), lease.entry(), lease.consumer(), lease.attempt()));
  }

  private static int number(@Nullable Object reply) {
    return reply instanceof Long number ? number.intValue() : 0;
  }
}
