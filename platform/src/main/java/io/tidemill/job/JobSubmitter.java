package io.tidemill.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.contract.job.JobSubmission;
import io.tidemill.json.Json;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.redis.RedisHealth;
import io.tidemill.redis.StoreRetry;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/// Admits jobs: each once, and only while there is room (C3.2 to C3.4).
public final class JobSubmitter {
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private final JobStore store;
  private final JobsConfig config;
  private final RedisHealth health;
  private final MeterRegistry metrics;

  public JobSubmitter(
      JobStore store, JobsConfig config, RedisHealth health, MeterRegistry metrics) {
    this.store = store;
    this.config = config;
    this.health = health;
    this.metrics = metrics;
  }

  /// Puts the job into the queue, or into the tenant's line.
  ///
  /// @param idempotencyKey the same key with the same job again makes no second job
  public Submission submit(JobSubmission job, String tenant, @Nullable String idempotencyKey) {
    var size = job.payload().getBytes(UTF_8).length;
    var most = config.maxPayload().bytes();
    if (size > most) return new Submission.PayloadTooLarge(size, most);
    return health.memoryShare() > config.maxMemory()
        ? nearlyFull(job, idempotencyKey)
        : write(job, tenant, idempotencyKey);
  }

  private Submission write(JobSubmission job, String tenant, @Nullable String idempotencyKey) {
    // Made here, so that a repetition of the script makes no second job.
    var id = UUID.randomUUID().toString();
    var trace = Traces.header();
    return switch (Traces.part(
        SpanKind.REDIS,
        "submit job",
        () -> StoreRetry.answer(() -> store.submit(id, job, tenant, idempotencyKey, trace)))) {
      case SubmitResult.Created(var jobId) -> accepted(jobId);
      case SubmitResult.Known known -> repeated(known, job);
      case SubmitResult.Full(var waiting) ->
          counted(
              "full.waiting", new Submission.QueueFull(waiting, config.maxWaiting(), RETRY_AFTER));
    };
  }

  // Only new jobs are refused (C3.3).
  private Submission nearlyFull(JobSubmission job, @Nullable String idempotencyKey) {
    var known =
        idempotencyKey == null
            ? Optional.<SubmitResult.Known>empty()
            : StoreRetry.answer(() -> store.known(idempotencyKey));
    return known
        .map(earlier -> repeated(earlier, job))
        .orElseGet(() -> counted("full.memory", new Submission.StoreFull(RETRY_AFTER)));
  }

  private Submission accepted(String jobId) {
    Traces.about("job", jobId);
    return counted("accepted", new Submission.Accepted(jobId));
  }

  private Submission repeated(SubmitResult.Known known, JobSubmission job) {
    if (!isSame(known, job)) return counted("conflict", new Submission.Conflict(known.jobId()));
    Traces.about("job", known.jobId());
    return counted("repeated", new Submission.Repeated(known.jobId()));
  }

  // A gateway of another make may format the same payload differently.
  private static boolean isSame(SubmitResult.Known known, JobSubmission job) {
    return known.task().equals(job.task().wire())
        && known.ttlSeconds().equals(String.valueOf(job.ttlSeconds()))
        && (known.payload().equals(job.payload()) || isSameJson(known.payload(), job.payload()));
  }

  private static boolean isSameJson(String a, String b) {
    try {
      return Json.parse(a).equals(Json.parse(b));
    } catch (JacksonException notJson) {
      return false;
    }
  }

  private Submission counted(String answer, Submission result) {
    metrics.counter("gateway.jobs", "answer", answer).increment();
    return result;
  }
}
