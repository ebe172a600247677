package io.tidemill.gateway.job;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.contract.job.JobSubmission;
import io.tidemill.http.Problem;
import io.tidemill.http.Response;
import io.tidemill.job.JobStore;
import io.tidemill.job.JobsConfig;
import io.tidemill.job.SubmitResult;
import io.tidemill.json.Json;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.redis.RedisHealth;
import io.tidemill.redis.StoreRetry;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/// Admits jobs: each once, and only while there is room (C3.2 to C3.4).
public final class JobSubmissions {
  private static final String RETRY_AFTER = "1";

  private final JobStore store;
  private final JobsConfig config;
  private final RedisHealth health;
  private final MeterRegistry metrics;

  public JobSubmissions(
      JobStore store, JobsConfig config, RedisHealth health, MeterRegistry metrics) {
    this.store = store;
    this.config = config;
    this.health = health;
    this.metrics = metrics;
  }

  /// Puts the job into the queue, or into the tenant's line, and answers with its id.
  Response submit(JobSubmission job, String tenant, @Nullable String idempotencyKey) {
    if (health.memoryShare() > config.maxMemory()) return nearlyFull(job, idempotencyKey);
    // Random and made here: running the script again with the same id makes no second job.
    var id = UUID.randomUUID().toString();
    var trace = Traces.header();
    return switch (Traces.part(
        SpanKind.REDIS,
        "submit job",
        () -> StoreRetry.answer(() -> store.submit(id, job, tenant, idempotencyKey, trace)))) {
      case SubmitResult.Created(var jobId) -> accepted(jobId);
      case SubmitResult.Known known -> repeated(known, job);
      case SubmitResult.Full(var waiting) ->
          full(
              "waiting",
              Problem.of(429, "too many jobs wait; try again later")
                  .with("waiting", waiting)
                  .with("max", config.maxWaiting()));
    };
  }

  // A known key is answered even when there is no room: only new jobs are turned away (C3.3).
  private Response nearlyFull(JobSubmission job, @Nullable String idempotencyKey) {
    var known =
        idempotencyKey == null
            ? Optional.<SubmitResult.Known>empty()
            : StoreRetry.answer(() -> store.known(idempotencyKey));
    return known
        .map(earlier -> repeated(earlier, job))
        .orElseGet(
            () -> full("memory", Problem.of(429, "the job store is nearly full; try again later")));
  }

  private Response accepted(String jobId) {
    Traces.about("job", jobId);
    count("accepted");
    return Response.accepted(Json.object().put("job_id", jobId))
        .withHeader("Location", "/v1/jobs/" + jobId);
  }

  private Response repeated(SubmitResult.Known known, JobSubmission job) {
    if (!isSame(known, job)) {
      count("conflict");
      return Response.problem(422, "this Idempotency-Key was used for another body");
    }
    count("repeated");
    Traces.about("job", known.jobId());
    return Response.accepted(Json.object().put("job_id", known.jobId()).put("idempotent", true))
        .withHeader("Location", "/v1/jobs/" + known.jobId());
  }

  // Another gateway may have written the same payload with other spaces.
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

  private Response full(String why, Problem problem) {
    count("full." + why);
    return Response.problem(problem).withHeader("Retry-After", RETRY_AFTER);
  }

  private void count(String what) {
    metrics.counter("gateway.jobs", "answer", what).increment();
  }
}
