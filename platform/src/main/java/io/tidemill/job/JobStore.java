package io.tidemill.job;

import io.tidemill.contract.job.Job;
import io.tidemill.contract.job.JobCodec;
import io.tidemill.contract.job.JobEvent;
import io.tidemill.contract.job.JobNames;
import io.tidemill.contract.job.JobStatus;
import io.tidemill.contract.job.JobSubmission;
import io.tidemill.redis.CallBatcher;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisCommand;
import io.tidemill.redis.RedisException;
import io.tidemill.redis.Script;
import io.tidemill.redis.stream.StreamEntry;
import io.tidemill.work.Lease;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Jobs, their events and their dead, in Redis (C3). Each change is one script: all of it or
/// nothing.
///
/// Every method may throw [RedisException]. Every change but [#emit] may then be repeated, with the
/// same ids, without taking effect twice.
public final class JobStore {
  private static final Script SUBMIT = Script.load(JobStore.class, "submit_job.lua");
  private static final Script TAKE = Script.load(JobStore.class, "take_jobs.lua");
  private static final Script START = Script.load(JobStore.class, "start_job.lua");
  private static final Script EMIT = Script.load(JobStore.class, "append_event.lua");
  private static final Script FINISH = Script.load(JobStore.class, "finish_jobs.lua");
  private static final Script BURY = Script.load(JobStore.class, "bury_entry.lua");
  private static final Script TOUCH = Script.load(JobStore.class, "extend_ttl.lua");
  private static final Script CANCEL = Script.load(JobStore.class, "cancel_job.lua");
  private static final Script PARK = Script.load(JobStore.class, "set_entry_aside.lua");

  private static final int SHORT_TTL_SECONDS = 5;

  /// A job that a worker holds, with what it takes to keep it alive.
  public record Held(Lease lease, String jobId, @Nullable String idempotencyKey) {}

  /// How a job ends.
  ///
  /// @param result JSON text or empty
  /// @param error JSON text or empty
  /// @param data JSON text of the terminal event's data
  public record Ending(JobStatus status, String result, String error, String step, String data) {}

  /// Why an entry is given up.
  ///
  /// @param fields the entry as it was
  public record Burial(String reason, String message, Map<String, byte[]> fields) {}

  private final Redis redis;
  private final JobNames names;
  private final InstantSource clock;
  private final int defaultTtlSeconds;
  private final long mostWaiting;
  private final JobBacklog line;
  private final JobList recent;
  private final CallBatcher<Finish, String> finishes = new CallBatcher<>(this::finishAll);

  public JobStore(Redis redis, JobsConfig config, InstantSource clock) {
    this.redis = redis;
    this.names = config.names();
    this.defaultTtlSeconds = config.ttlS();
    this.mostWaiting = config.maxWaiting();
    this.line = new JobBacklog(redis, config, clock);
    this.recent = new JobList(redis, config);
    this.clock = clock;
  }

  /// Where jobs wait that the queue has no room for.
  public JobBacklog line() {
    return line;
  }

  /// Those that came lately.
  public JobList recent() {
    return recent;
  }

  /// Admits a job under the id given, unless the queue is full or its idempotency key is taken.
  ///
  /// @param tenant whose turn it takes when jobs have to wait
  public SubmitResult submit(
      String id,
      JobSubmission job,
      String tenant,
      @Nullable String idempotencyKey,
      @Nullable String traceparent) {
    var keys = new ArrayList<>(List.of(JobNames.job(id), JobNames.events(id), names.stream()));
    if (idempotencyKey != null) keys.add(JobNames.idempotency(idempotencyKey));
    var arguments = new ArrayList<Object>(List.of(id, job.task().wire(), job.payload(), now()));
    arguments.addAll(
        List.of(
            job.ttlSeconds(),
            mostWaiting,
            names.group(),
            orEmpty(traceparent),
            orEmpty(idempotencyKey),
            JobNames.job(""),
            JobNames.STEP_ENQUEUE,
            tenant));
    arguments.addAll(line.rules(job.task()));
    var answer = Redis.list(redis.run(SUBMIT, keys, arguments));
    return switch (Redis.text(answer.getFirst())) {
      case "waiting" -> {
        line.joined();
        yield new SubmitResult.Created(id);
      }
      case "known" ->
          new SubmitResult.Known(
              Redis.text(answer.get(1)),
              Redis.text(answer.get(2)),
              Redis.text(answer.get(3)),
              Redis.text(answer.get(4)));
      case "full" -> new SubmitResult.Full((Long) answer.get(1));
      default -> {
        // Half its life may be over before anybody looks of his own accord (F21).
        if (job.ttlSeconds() < SHORT_TTL_SECONDS) line.joined();
        yield new SubmitResult.Created(id);
      }
    };
  }

  /// The job that an idempotency key already has.
  public Optional<SubmitResult.Known> known(String idempotencyKey) {
    var id = redis.call(RedisCommand.GET, JobNames.idempotency(idempotencyKey));
    if (id == null) return Optional.empty();
    return find(Redis.text(id))
        .map(job ->
            new SubmitResult.Known(
                Redis.text(id), job.task(), job.payload(), String.valueOf(job.ttlSeconds())));
  }

  /// Takes a job for the attempt that the lease stands for.
  public StartedJob start(Held job) {
    var more = List.of(now(), JobNames.STEP_START, defaultTtlSeconds, job.jobId());
    var answer = run(START, job, more);
    return switch (Redis.text(answer.getFirst())) {
      case "run" -> new StartedJob.Run(((Long) answer.get(1)).intValue());
      case "skipped" -> new StartedJob.Skipped(Redis.text(answer.get(1)));
      case "gone" -> new StartedJob.Skipped("gone");
      default -> new StartedJob.Fenced();
    };
  }

  /// Appends an event of a running job.
  ///
  /// @return `running` when it was appended, or why not: `fenced` when the attempt is no longer the
  ///   job's, else how the job ended, or `gone`
  public String emit(Held job, String type, String step, String data) {
    var answer = run(EMIT, job, List.of(now(), type, step, data, defaultTtlSeconds));
    return switch (Redis.text(answer.getFirst())) {
      case "appended" -> "running";
      case "ended" -> Redis.text(answer.get(1));
      default -> "fenced";
    };
  }

  /// Reads new entries and starts their jobs, without waiting for any.
  ///
  /// @param tasks those that may be started, a comma before and behind each, or empty for all
  public List<TakenJob> take(String consumer, int most, String tasks) {
    var arguments = new ArrayList<Object>(List.of(names.group(), consumer, most, now()));
    arguments.addAll(
        List.of(
            JobNames.STEP_START,
            defaultTtlSeconds,
            JobNames.job(""),
            JobNames.EVENTS_SUFFIX,
            JobNames.idempotency("")));
    arguments.addAll(line.rules());
    arguments.add(tasks);
    var reply = redis.run(TAKE, List.of(names.stream()), arguments);
    return Redis.list(reply).stream().map(entry -> taken(consumer, Redis.list(entry))).toList();
  }

  private TakenJob taken(String consumer, List<Object> entry) {
    var attempt = ((Long) entry.get(4)).intValue();
    var lease =
        new Lease(names.stream(), names.group(), consumer, Redis.text(entry.get(0)), attempt);
    var started =
        switch (Redis.text(entry.get(2))) {
          case "run" -> new StartedJob.Run(((Long) entry.get(3)).intValue());
          case "over" -> new StartedJob.Skipped("over");
          default -> null;
        };
    return new TakenJob(lease, Redis.rawMap(entry.get(1)), started);
  }

  /// Lays an entry aside for a worker that does its task.
  ///
  /// @param beatLasts how long ago a worker may have said that it is alive
  /// @param taskLasts how long ago the last worker that did the task may have said so
  /// @return `parked`, `nobody` when no worker does the task, or why there was nothing to do:
  ///   `fenced`, `skipped`
  public String park(Held job, String task, Duration beatLasts, Duration taskLasts) {
    var keys =
        List.of(job.lease().stream(), JobNames.job(job.jobId()), JobNames.events(job.jobId()));
    var arguments = new ArrayList<Object>(fence(job.lease()));
    arguments.addAll(List.of(task, beatLasts.toMillis(), taskLasts.toMillis(), defaultTtlSeconds));
    return Redis.text(Redis.list(redis.run(PARK, keys, arguments)).getFirst());
  }

  /// Ends a job and acknowledges its entry. Jobs that end at the same time are ended together.
  ///
  /// @return `finished`, or why it was not for this attempt to end it: `ended`, `gone`, `fenced`
  public String finish(Held job, Ending ending, @Nullable Burial burial) {
    var answer = finishes.call(new Finish(job, ending, burial));
    if (answer.startsWith("refused "))
      throw RedisException.refusal(answer.substring("refused ".length()));
    return answer;
  }

  private record Finish(Held job, Ending ending, @Nullable Burial burial) {}

  private List<String> finishAll(List<Finish> finishes) {
    var keys = new ArrayList<>(List.of(names.stream(), JobNames.DEAD));
    var arguments = new ArrayList<Object>(List.of(names.group(), now(), defaultTtlSeconds));
    arguments.add(JobNames.job(""));
    arguments.addAll(line.rules());
    arguments.add(line.isLimited() ? 1 : 0);
    for (var finish : finishes) {
      addKeys(keys, finish.job());
      var lease = finish.job().lease();
      var ending = finish.ending();
      arguments.addAll(List.of(lease.entry(), lease.consumer(), lease.attempt()));
      arguments.addAll(
          List.of(
              ending.status().wire(),
              ending.result(),
              ending.error(),
              ending.step(),
              ending.data()));
      var letter =
          finish.burial() == null
              ? List.of()
              : deadFields(lease, finish.job().jobId(), finish.burial());
      arguments.add(letter.size());
      arguments.addAll(letter);
    }
    return Redis.list(redis.run(FINISH, keys, arguments)).stream().map(Redis::text).toList();
  }

  private static void addKeys(List<String> keys, Held job) {
    keys.add(JobNames.job(job.jobId()));
    keys.add(JobNames.events(job.jobId()));
    var key = job.idempotencyKey();
    keys.add(key == null ? JobNames.job(job.jobId()) : JobNames.idempotency(key));
  }

  /// Moves an entry that names no job to the dead stream, and acknowledges it.
  public void bury(Lease lease, Burial burial) {
    var arguments = new ArrayList<Object>(fence(lease));
    arguments.addAll(deadFields(lease, "", burial));
    redis.run(BURY, List.of(names.stream(), JobNames.DEAD), arguments);
  }

  /// Keeps running jobs from expiring.
  ///
  /// @return how each stands, in the same order; `gone` for one that expired
  public List<String> touch(List<Held> jobs) {
    if (jobs.isEmpty()) return List.of();
    var keys = new ArrayList<String>();
    for (var job : jobs) addKeys(keys, job);
    return Redis.list(redis.run(TOUCH, keys, List.of(defaultTtlSeconds))).stream()
        .map(Redis::text)
        .toList();
  }

  /// Cancels a job.
  ///
  /// @return the status it had before: `queued` or `running` when this canceled it, the terminal
  ///   one when it had ended, empty when there is no such job
  public Optional<String> cancel(String id, String data) {
    var answer =
        Redis.list(
            redis.run(
                CANCEL,
                List.of(JobNames.job(id), JobNames.events(id)),
                List.of(
                    now(),
                    JobNames.STEP_CANCEL,
                    data,
                    defaultTtlSeconds,
                    JobNames.CANCEL_CHANNEL,
                    id,
                    names.stream())));
    return answer.size() < 2 ? Optional.empty() : Optional.of(Redis.text(answer.get(1)));
  }

  /// The job's record.
  public Optional<Job> find(String id) {
    return JobCodec.decodeJob(id, Redis.map(redis.call(RedisCommand.HGETALL, JobNames.job(id))));
  }

  /// Whether the job has not expired.
  public boolean exists(String id) {
    return Long.valueOf(1).equals(redis.call(RedisCommand.EXISTS, JobNames.job(id)));
  }

  /// The latest event of a job.
  public Optional<JobEvent> lastEvent(String id) {
    return StreamEntry.last(redis, JobNames.events(id))
        .map(entry -> JobCodec.decodeEvent(entry.id(), entry.fields()));
  }

  private List<Object> run(Script script, Held job, List<?> more) {
    var keys = new ArrayList<>(List.of(job.lease().stream(), JobNames.job(job.jobId())));
    keys.add(JobNames.events(job.jobId()));
    var key = job.idempotencyKey();
    if (key != null && !script.equals(EMIT)) keys.add(JobNames.idempotency(key));
    var arguments = new ArrayList<Object>(fence(job.lease()));
    arguments.addAll(more);
    return Redis.list(redis.run(script, keys, arguments));
  }

  private static List<Object> fence(Lease lease) {
    return List.of(lease.group(), lease.entry(), lease.consumer(), lease.attempt());
  }

  private List<Object> deadFields(Lease lease, String jobId, Burial burial) {
    return List.of(
        "origin", lease.stream(),
        "origin_id", lease.entry(),
        "group", lease.group(),
        "consumer", lease.consumer(),
        "attempts", lease.attempt(),
        "reason", burial.reason(),
        "message", burial.message(),
        "job_id", jobId,
        "ts", now(),
        "fields", JobCodec.encodeFields(burial.fields()));
  }

  private long now() {
    return clock.millis();
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
