package io.tidemill.job;

import static java.util.Objects.requireNonNullElse;

import io.tidemill.contract.job.Job;
import io.tidemill.contract.job.JobCodec;
import io.tidemill.contract.job.JobEvent;
import io.tidemill.contract.job.JobNames;
import io.tidemill.contract.job.JobSubmission;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisCommand;
import io.tidemill.redis.Script;
import io.tidemill.redis.stream.StreamEntry;
import io.tidemill.work.Cancellation;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Jobs and their events in Redis, as a gateway uses them (C3). Each change is one script: all of
/// it or nothing.
///
/// Every method may throw [RedisException] and may then be repeated, with the same ids, without
/// taking effect twice.
public final class JobStore {
  private static final Script SUBMIT = Script.load(JobStore.class, "submit_job.lua");
  private static final Script CANCEL = Script.load(JobStore.class, "cancel_job.lua");

  private static final int SHORT_TTL_SECONDS = 5;

  private final Redis redis;
  private final JobNames names;
  private final InstantSource clock;
  private final int defaultTtlSeconds;
  private final long mostWaiting;
  private final JobBacklog backlog;
  private final JobList recent;

  public JobStore(Redis redis, JobsConfig config, InstantSource clock) {
    this.redis = redis;
    this.names = config.names();
    this.defaultTtlSeconds = config.ttlS();
    this.mostWaiting = config.maxWaiting();
    this.backlog = new JobBacklog(redis, config, clock);
    this.recent = new JobList(redis, config);
    this.clock = clock;
  }

  /// The jobs that wait because the queue is full.
  public JobBacklog backlog() {
    return backlog;
  }

  /// The jobs of late.
  public JobList recent() {
    return recent;
  }

  private enum SubmitAnswer {
    CREATED,
    /// Created, in its tenant's line.
    WAITING,
    KNOWN,
    FULL
  }

  /// Admits a job under the id given, unless the queue is full or its idempotency key is taken.
  ///
  /// @param tenant in whose line the job waits when the queue is full
  public SubmitResult submit(
      String id,
      JobSubmission job,
      String tenant,
      @Nullable String idempotencyKey,
      @Nullable String traceparent) {
    var keys = new ArrayList<>(List.of(JobNames.job(id), JobNames.events(id), names.stream()));
    if (idempotencyKey != null) keys.add(JobNames.idempotency(idempotencyKey));
    var arguments =
        new ArrayList<Object>(List.of(id, job.task().wire(), job.payload(), clock.millis()));
    arguments.addAll(
        List.of(
            job.ttlSeconds(),
            mostWaiting,
            names.group(),
            requireNonNullElse(traceparent, ""),
            requireNonNullElse(idempotencyKey, ""),
            JobNames.job(""),
            JobNames.STEP_ENQUEUE,
            tenant));
    arguments.addAll(backlog.rules(job.task()));
    var answer = Redis.list(redis.run(SUBMIT, keys, arguments));
    return switch (Redis.constant(SubmitAnswer.class, answer.getFirst())) {
      case CREATED -> {
        // Half of a short life may be over before the releaser's next regular run (F21).
        if (job.ttlSeconds() < SHORT_TTL_SECONDS) backlog.joined();
        yield new SubmitResult.Created(id);
      }
      case WAITING -> {
        backlog.joined();
        yield new SubmitResult.Created(id);
      }
      case KNOWN ->
          new SubmitResult.Known(
              Redis.text(answer.get(1)),
              Redis.text(answer.get(2)),
              Redis.text(answer.get(3)),
              Redis.text(answer.get(4)));
      case FULL -> new SubmitResult.Full((Long) answer.get(1));
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

  private enum CancelAnswer {
    CANCELED,
    ENDED,
    GONE
  }

  /// Cancels a job that has not ended.
  ///
  /// @param data of the terminal event, JSON text
  public Cancellation cancel(String id, String data) {
    var keys = List.of(JobNames.job(id), JobNames.events(id));
    var arguments =
        List.of(
            clock.millis(),
            JobNames.STEP_CANCEL,
            data,
            defaultTtlSeconds,
            JobNames.CANCEL_CHANNEL,
            id,
            names.stream());
    var answer = Redis.list(redis.run(CANCEL, keys, arguments));
    return switch (Redis.constant(CancelAnswer.class, answer.getFirst())) {
      case CANCELED -> new Cancellation.Canceled(Redis.text(answer.get(1)));
      case ENDED -> new Cancellation.AlreadyEnded(Redis.text(answer.get(1)));
      case GONE -> new Cancellation.Unknown();
    };
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
}
