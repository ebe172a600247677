package io.tidemill.worker;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.tidemill.contract.Decoded;
import io.tidemill.contract.job.JobCodec;
import io.tidemill.contract.job.JobEntry;
import io.tidemill.contract.job.JobFields;
import io.tidemill.contract.job.JobNames;
import io.tidemill.job.HeldJob;
import io.tidemill.job.JobQueue;
import io.tidemill.job.JobQueue.SetAside;
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
import io.tidemill.work.Lease;
import io.tidemill.work.Outcome;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes jobs from the queue, runs their handlers and settles them (C3.7, C3.8).
///
/// A [JobReader] takes entries, a [LeaseKeeper] renews their leases. Each job runs on a virtual
/// thread, as many at once as there are slots.
public final class JobWorker implements Service {
  static final Logger log = LoggerFactory.getLogger(JobWorker.class);

  private final WorkerConfig config;
  private final StreamConsumer source;
  private final JobQueue queue;
  private final HandlerRegistry handlers;
  private final Traces traces;
  private final MeterRegistry metrics;
  private final MessageSamples samples;

  private final Semaphore slots;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<Lease, RunningJob> running = new ConcurrentHashMap<>();
  private final JobSettler settler;
  private final JobReader reader;
  private final LeaseKeeper keeper;

  /// @param samples gets every entry
  public JobWorker(
      WorkerConfig config,
      StreamConsumer source,
      JobQueue queue,
      HandlerRegistry handlers,
      Traces traces,
      MeterRegistry metrics,
      MessageSamples samples) {
    this.config = config;
    this.source = source;
    this.queue = queue;
    this.handlers = handlers;
    this.traces = traces.of("worker");
    this.metrics = metrics;
    this.samples = samples;
    settler =
        new JobSettler(queue, config.maxResult().bytes(), config.lease().dividedBy(3), metrics);
    slots = new Semaphore(config.slots());
    reader = new JobReader(config, source, queue, slots, this::accept);
    keeper = new LeaseKeeper(config, source, queue, running, this::endWithoutHandler);
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
    source.announce(config.announcement());
    keeper.start();
    reader.start();
  }

  /// Stops reading, waits for jobs in flight, then defers the rest: other workers take them over.
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
    settler.stop();
    keeper.stop();
    try {
      // The handlers of these ignore the interrupt.
      for (var job : running.values()) {
        if (!settler.settle(job.held(), new Outcome.Abandoned(), Map.of())) break;
      }
      source.leave(); // other workers may take over pending entries at once
    } catch (RedisException unreachable) {
      log.warn("leases are left to run out: {}", unreachable.getMessage());
    }
    source.close();
  }

  // Owns one slot and gives it back.
  private void accept(TakenJob delivery) {
    threads.execute(() -> {
      try {
        receive(delivery);
      } finally {
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
      // The job's keys hold values of another type.
      settler.bury(delivery.lease(), String.valueOf(refused.getMessage()), delivery.fields());
    }
  }

  // A malformed entry that names a job ends that job, because a client may follow it.
  private void reject(TakenJob delivery, String why) {
    var id = delivery.fields().get(JobFields.JOB_ID);
    if (id == null || !JobNames.isId(Redis.text(id))) {
      settler.bury(delivery.lease(), why, delivery.fields());
      return;
    }
    var job = new HeldJob(delivery.lease(), Redis.text(id), "", null);
    settler.settle(job, new Outcome.Dead("MALFORMED", why), delivery.fields());
  }

  private void receive(JobEntry entry, TakenJob delivery) {
    var job = new HeldJob(delivery.lease(), entry.jobId(), entry.task(), entry.idempotencyKey());
    try (var _ = LogContext.with("job_id", entry.jobId(), "task", entry.task())) {
      if (delivery.lease().attempt() > config.maxDeliveries()) {
        giveUp(job, delivery);
      } else if (config.does(entry.task())) {
        start(job, entry, delivery);
      } else {
        setAside(job);
      }
    }
  }

  private void giveUp(HeldJob job, TakenJob delivery) {
    var why = "the job was delivered %d times and never finished".formatted(config.maxDeliveries());
    log.warn("{}", why);
    settler.settle(job, new Outcome.Dead("DELIVERY_LIMIT", why), delivery.fields());
  }

  // The entry stays pending until a worker that does the task takes it over; the job ends when no
  // such worker was there for minutes.
  private void setAside(HeldJob job) {
    var answer =
        settler.persist(
            () -> queue.setAside(job, StreamConsumer.CONSUMER_TTL, StreamConsumer.TASK_TTL));
    if (answer == null) return;
    settler.count(JobSettler.label(answer));
    if (answer != SetAside.NOBODY) return;
    var why =
        "no worker that is alive does the task '%s': none has it in worker.tasks"
            .formatted(job.task());
    settler.settle(job, new Outcome.Failed("HANDLER_MISSING", why), Map.of());
  }

  private void start(HeldJob job, JobEntry entry, TakenJob delivery) {
    var started = delivery.started();
    switch (started == null ? settler.persist(queue.start(job)) : started) {
      case StartedJob.Run run -> run(new RunningJob(entry, job, run, queue), entry);
      case StartedJob.Skipped _ -> settler.count("skipped");
      case StartedJob.Fenced _ -> settler.count("fenced");
      case null -> settler.count("unstarted");
    }
  }

  private void run(RunningJob job, JobEntry entry) {
    running.put(job.held().lease(), job);
    try {
      traces.inSpan(
          SpanKind.JOB,
          entry.task(),
          entry.traceparent(),
          () -> {
            Traces.about("job", job.id());
            Traces.note("attempt", job.attempt());
            run(job);
            return "";
          });
    } finally {
      // Another attempt may run under an equal lease by now: a deferred delivery is not counted.
      running.remove(job.held().lease(), job);
    }
  }

  private void run(RunningJob job) {
    var startedNanos = System.nanoTime();
    var outcome = job.run(handlers);
    var took = System.nanoTime() - startedNanos;
    var label =
        switch (outcome) {
          case Outcome.Done _ -> "done";
          case Outcome.Failed(var code, var why) -> failed("failed", code + ": " + why);
          case Outcome.Dead(var code, var why) -> failed("failed", code + ": " + why);
          case Outcome.Retry(var why) -> failed("retry", why);
          case Outcome.Deferred(var why) -> failed("retry", why);
          case Outcome.Canceled _ -> "canceled";
          case Outcome.Abandoned _ -> "abandoned";
        };
    settler.settle(job.held(), outcome, Map.of());
    Timer.builder("worker.jobs")
        .description("Attempts at jobs, by how they ended")
        .tag("outcome", label)
        .register(metrics)
        .record(took, TimeUnit.NANOSECONDS);
  }

  private static String failed(String label, String why) {
    Traces.fail(why);
    return label;
  }

  // The handler ignores its interrupt: the job ends without it. Its thread keeps the slot, and its
  // further events are refused. An abandoned job is not handed on, because this worker could take
  // it again under the same lease.
  private void endWithoutHandler(RunningJob job, Outcome outcome) {
    running.remove(job.held().lease(), job);
    log.warn("the handler of job {} does not stop", job.id());
    if (outcome instanceof Outcome.Abandoned) return;
    Thread.startVirtualThread(() -> settler.settle(job.held(), outcome, Map.of()));
  }

  /// Stops a canceled job if it runs here.
  public void cancel(String jobId) {
    for (var job : running.values()) {
      if (job.id().equals(jobId)) job.stop(new Outcome.Canceled());
    }
  }
}
