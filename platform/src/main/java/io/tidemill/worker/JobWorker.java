package io.tidemill.worker;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.tidemill.contract.Decoded;
import io.tidemill.contract.job.JobCodec;
import io.tidemill.contract.job.JobEntry;
import io.tidemill.contract.job.JobNames;
import io.tidemill.job.JobStore;
import io.tidemill.job.JobStore.Burial;
import io.tidemill.job.JobStore.Ending;
import io.tidemill.job.JobStore.Held;
import io.tidemill.job.StartedJob;
import io.tidemill.job.TakenJob;
import io.tidemill.observe.LogContext;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisException;
import io.tidemill.redis.stream.StreamConsumer;
import io.tidemill.service.Service;
import io.tidemill.trace.MessageSamples;
import io.tidemill.work.Backoff;
import io.tidemill.work.Lease;
import io.tidemill.work.Outcome;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes jobs from the queue, runs their handlers, and reports how they end (C3.7, C3.8).
///
/// A [JobReader] takes them, a [LeaseKeeper] keeps what was taken. Each job runs on a virtual
/// thread; as many at once as there are slots.
public final class JobWorker implements Service {
  static final Logger log = LoggerFactory.getLogger(JobWorker.class);

  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(2));

  private final WorkerConfig config;
  private final StreamConsumer source;
  private final JobStore store;
  private final HandlerRegistry handlers;
  private final Traces traces;
  private final MeterRegistry metrics;
  private final MessageSamples samples;

  private final Semaphore slots;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<Lease, RunningJob> running = new ConcurrentHashMap<>();
  private final JobReader reader;
  private final LeaseKeeper keeper;
  private volatile boolean stopped;

  public JobWorker(
      WorkerConfig config,
      StreamConsumer source,
      JobStore store,
      HandlerRegistry handlers,
      Traces traces,
      MeterRegistry metrics) {
    this(config, source, store, handlers, traces, metrics, MessageSamples.off());
  }

  /// @param samples are offered every entry
  public JobWorker(
      WorkerConfig config,
      StreamConsumer source,
      JobStore store,
      HandlerRegistry handlers,
      Traces traces,
      MeterRegistry metrics,
      MessageSamples samples) {
    this.config = config;
    this.source = source;
    this.store = store;
    this.handlers = handlers;
    this.traces = traces.of("worker");
    this.metrics = metrics;
    this.samples = samples;
    slots = new Semaphore(config.slots());
    reader = new JobReader(config, source, store, slots, this::accept);
    keeper = new LeaseKeeper(config, source, store, running, this::endWithout);
    Gauge.builder("worker.jobs.running", running, Map::size).register(metrics);
    Gauge.builder("worker.slots", config::slots)
        .description("Jobs that this process may run at once")
        .register(metrics);
  }

  @Override
  public String name() {
    return "worker";
  }

  @Override
  public void start() {
    source.prepare();
    source.beat(config.announcement());
    keeper.start();
    reader.start();
  }

  /// Stops reading, waits for jobs in flight, then hands the rest on.
  @Override
  public void stop() {
    reader.stop();
    var deadline = System.nanoTime() + config.stopTimeout().toNanos();
    threads.shutdown();
    try {
      if (!threads.awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        running.values().forEach(job -> job.stop(new Outcome.Abandoned()));
        threads.awaitTermination(1, TimeUnit.SECONDS);
      }
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
    stopped = true;
    keeper.stop();
    try {
      source.leave(); // whatever is still pending for us is free for others at once
    } catch (RedisException unreachable) {
      log.warn("leases are left to run out: {}", unreachable.getMessage());
    }
    source.close();
  }

  // Owns one slot from here on.
  private void accept(TakenJob delivery) {
    threads.execute(() -> {
      try {
        receive(delivery);
      } finally {
        running.remove(delivery.lease());
        slots.release();
      }
    });
  }

  private void receive(TakenJob delivery) {
    samples.offerEntry(JobNames.ENTRY, source.stream(), delivery.fields());
    try {
      switch (JobCodec.decodeEntry(delivery.fields())) {
        case Decoded.Message(var entry) -> receive(entry, delivery);
        case Decoded.Malformed(var why) -> reject(delivery, why);
        case Decoded.Unreadable(var why) -> reject(delivery, why);
      }
    } catch (RedisException refused) {
      // Somebody put something else where the job's keys belong.
      bury(delivery, String.valueOf(refused.getMessage()));
    }
  }

  // An entry that names a job but lacks the rest ends that job: somebody may be waiting for it.
  private void reject(TakenJob delivery, String why) {
    var id = Redis.text(delivery.fields().get("job_id"));
    if (!delivery.fields().containsKey("job_id") || !JobNames.isId(id)) {
      bury(delivery, why);
      return;
    }
    finish(
        new Held(delivery.lease(), id, null),
        JobTransition.failed("MALFORMED", why),
        new Burial("MALFORMED", why, delivery.fields()));
  }

  private void bury(TakenJob delivery, String why) {
    log.warn("entry {} is no job: {}", delivery.lease().entry(), why);
    count("malformed");
    persist(() -> {
      store.bury(delivery.lease(), new Burial("MALFORMED", why, delivery.fields()));
      return true;
    });
  }

  private void receive(JobEntry entry, TakenJob delivery) {
    var held = new Held(delivery.lease(), entry.jobId(), entry.idempotencyKey());
    try (var _ = LogContext.with("job_id", entry.jobId(), "task", entry.task())) {
      if (delivery.lease().attempt() > config.maxDeliveries()) {
        giveUp(held, delivery);
        return;
      }
      if (!config.does(entry.task())) {
        handOn(held, entry);
        return;
      }
      var started = delivery.started();
      switch (started == null ? persist(() -> store.start(held)) : started) {
        case StartedJob.Run(var ttl) ->
            work(new RunningJob(entry, held, ttl, store), entry, delivery);
        case StartedJob.Skipped _ -> count("skipped");
        case StartedJob.Fenced _ -> count("fenced");
        case null -> count("unstarted");
      }
    }
  }

  // The entry waits, pending, for a worker that takes it over; where there was none for
  // minutes, the job ends.
  private void handOn(Held held, JobEntry entry) {
    var answer =
        persist(() ->
            store.park(held, entry.task(), StreamConsumer.BEAT_LASTS, StreamConsumer.TASK_LASTS));
    if (answer == null) return;
    count(answer);
    if (!answer.equals("nobody")) return;
    var why =
        "no worker that is alive does the task '%s': none has it in worker.tasks"
            .formatted(entry.task());
    finish(held, JobTransition.failed("HANDLER_MISSING", why), null);
  }

  private void giveUp(Held held, TakenJob delivery) {
    var tries = config.maxDeliveries();
    var why = "the job was delivered %d times and never finished".formatted(tries);
    log.warn("{}", why);
    finish(
        held,
        JobTransition.failed("DELIVERY_LIMIT", why),
        new Burial("DELIVERY_LIMIT", why, delivery.fields()));
  }

  private void work(RunningJob job, JobEntry entry, TakenJob delivery) {
    running.put(delivery.lease(), job);
    traces.inSpan(
        SpanKind.JOB,
        entry.task(),
        entry.traceparent(),
        () -> {
          work(job, entry);
          return "";
        });
  }

  private void work(RunningJob job, JobEntry entry) {
    Traces.about("job", entry.jobId());
    Traces.note("attempt", job.attempt());
    var began = System.nanoTime();
    var outcome = job.run(handlers);
    var took = System.nanoTime() - began;
    switch (outcome) {
      case Outcome.Failed(var code, var why) -> Traces.fail(code + ": " + why);
      case Outcome.Retry(var why) -> Traces.fail(why);
      case Outcome.Done _, Outcome.Canceled _, Outcome.Abandoned _ -> {}
    }

    JobTransition.of(outcome, config.maxResult().bytes())
        .ifPresentOrElse(ending -> finish(job.held(), ending, null), () -> leave(job, outcome));
    Timer.builder("worker.jobs")
        .description("Attempts at jobs, by how they ended")
        .tag("outcome", outcome.getClass().getSimpleName().toLowerCase(Locale.ROOT))
        .register(metrics)
        .record(took, TimeUnit.NANOSECONDS);
  }

  // The broker delivers the entry again when the lease has run out.
  private static void leave(RunningJob job, Outcome outcome) {
    if (outcome instanceof Outcome.Retry(var why)) job.tellRetry(why);
  }

  private void finish(Held held, Ending ending, @Nullable Burial burial) {
    var answer =
        Traces.part(
            SpanKind.REDIS, "finish job", () -> persist(() -> store.finish(held, ending, burial)));
    if (answer != null) count(answer.equals("finished") ? ending.status().wire() : answer);
  }

  // Every change is safe to repeat, and by the lease it can't come too late: so insist.
  private <T> @Nullable T persist(Supplier<T> change) {
    for (int failures = 1; ; failures++) {
      try {
        return change.get();
      } catch (RedisException unreachable) {
        if (unreachable.isRefusal()) throw unreachable;
        if (stopped) return null;
        if (failures == 1) log.warn("will try again: {}", unreachable.getMessage());
        BACKOFF.pause(failures);
      }
    }
  }

  // The handler does not heed its interrupt: the job ends without it. Its thread keeps the slot,
  // and whatever it still says is refused.
  private void endWithout(RunningJob job, Outcome outcome) {
    running.remove(job.held().lease());
    log.warn("the handler of job {} does not stop", job.id());
    Thread.startVirtualThread(() ->
        JobTransition.of(outcome, config.maxResult().bytes())
            .ifPresent(ending -> finish(job.held(), ending, null)));
  }

  /// Stops a job that somebody canceled, if it runs here.
  public void cancel(String jobId) {
    for (var job : running.values()) {
      if (job.id().equals(jobId)) job.stop(new Outcome.Canceled());
    }
  }

  private void count(String what) {
    metrics.counter("worker.deliveries", "end", what).increment();
  }
}
