package io.tidemill.processor;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.processor.ExecutionStopped.Reason;
import io.tidemill.redis.RedisException;
import io.tidemill.service.Service;
import io.tidemill.work.Backoff;
import io.tidemill.workflow.ExecutionQueue;
import io.tidemill.workflow.LeasedExecution;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes workflows or tasks from the store as long as there are free slots, runs each on a thread
/// of its own, and keeps their leases alive.
///
/// The threads are the platform's: a step that computes for minutes shares the cores with the rest
/// of the process, which it would not do on a virtual one.
final class ExecutionRunner implements Service {
  private static final Logger log = LoggerFactory.getLogger(ExecutionRunner.class);
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(2));
  // Wake-ups may be lost; then this is how late new work is noticed.
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);
  private static final Duration SLOT_POLL = Duration.ofMillis(100);
  private static final int MOST_AT_ONCE = 64;

  /// How much at once, for how long at most.
  ///
  /// @param owner a name of this process that no other has
  record Limits(int slots, Duration lease, Duration stopTimeout, String owner) {}

  private final Execution.Services services;
  private final Limits limits;
  private final Semaphore slots;
  private final Semaphore wakeUps = new Semaphore(0);
  private final Map<String, Execution> running = new ConcurrentHashMap<>();
  private final ExecutorService threads;
  private final Thread taker;
  private final LeaseRenewer renewer;
  private volatile boolean stopping;
  private volatile @Nullable String trouble;

  ExecutionRunner(Execution.Services services, Limits limits, MeterRegistry metrics) {
    this.services = services;
    this.limits = limits;
    slots = new Semaphore(limits.slots());
    threads =
        Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name(kind().wire() + "-", 1).factory());
    taker = Thread.ofPlatform().name(kind().topic() + " taker").unstarted(this::takeAll);
    renewer = new LeaseRenewer(services.queue(), running, limits.lease(), this::abandon);
    Gauge.builder("flow.running", running, Map::size)
        .description("Workflows or tasks that this process runs")
        .tag("kind", kind().wire())
        .register(metrics);
    Gauge.builder("flow.slots", limits::slots)
        .description("Workflows or tasks that this process may run at once")
        .tag("kind", kind().wire())
        .register(metrics);
  }

  private ExecutionKind kind() {
    return services.queue().kind();
  }

  @Override
  public String name() {
    return kind().topic() + " runner";
  }

  @Override
  public void start() {
    taker.start();
    renewer.start();
  }

  /// Takes nothing more.
  void pause() {
    stopping = true;
    wake();
  }

  /// Waits for running executions up to the limit, then hands them on.
  @Override
  public void stop() {
    pause();
    try {
      taker.join();
      if (!slots.tryAcquire(
          limits.slots(), limits.stopTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
        running.values().forEach(execution -> execution.stop(Reason.SHUTDOWN));
        var _ = slots.tryAcquire(limits.slots(), 5, TimeUnit.SECONDS);
      }
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
    renewer.stop();
    threads.shutdown();
  }

  /// There may be something to take.
  void wake() {
    wakeUps.release();
  }

  /// Stops a canceled execution, if it runs here.
  void cancel(String id) {
    var execution = running.get(id);
    if (execution != null) execution.stop(Reason.CANCELED);
  }

  boolean isHealthy() {
    return taker.isAlive() && renewer.isAlive() && trouble == null;
  }

  String describe() {
    var what = trouble;
    return what == null ? running.size() + " running" : what;
  }

  private void takeAll() {
    var failures = 0;
    while (!stopping) {
      try {
        take();
        failures = 0;
        trouble = null;
      } catch (RedisException unavailable) {
        if (trouble == null)
          log.warn("{} can't take work and retries: {}", name(), unavailable.getMessage());
        trouble = unavailable.getMessage();
        await(BACKOFF.after(++failures, ThreadLocalRandom.current()));
      } catch (InterruptedException ends) {
        return;
      }
    }
  }

  private void take() throws InterruptedException {
    while (!slots.tryAcquire(SLOT_POLL.toMillis(), TimeUnit.MILLISECONDS)) {
      if (stopping) return;
    }
    var free = 1;
    while (free < MOST_AT_ONCE && slots.tryAcquire()) free++;
    var started = 0;
    wakeUps.drainPermits(); // later ones may announce new work
    try {
      if (stopping) return;
      var takenAt = System.nanoTime();
      var taken = services.queue().take(limits.owner(), free, limits.lease());
      for (var lease : taken.executions()) {
        if (start(lease, takenAt)) started++;
      }
      if (started < free) {
        slots.release(free - started);
        free = started;
        await(waitFor(taken));
      }
    } finally {
      slots.release(free - started);
    }
  }

  private Duration waitFor(ExecutionQueue.Taken taken) {
    var due = taken.due();
    if (due == null) return LONGEST_WAIT;
    var wait = Duration.between(services.clock().instant(), due).plusMillis(1);
    if (wait.isNegative()) return Duration.ofMillis(1);
    return wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
  }

  private void await(Duration most) {
    try {
      if (stopping) return;
      var _ = wakeUps.tryAcquire(most.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException ends) {
      stopping = true;
    }
  }

  // A process that was suspended must consider its leases lost before it publishes again (F03).
  private BooleanSupplier isLeased(long takenAt) {
    return () -> {
      var renewed = renewer.renewedAt();
      var since = renewed - takenAt > 0 ? renewed : takenAt;
      return System.nanoTime() - since < limits.lease().toNanos();
    };
  }

  private Execution execution(LeasedExecution lease, BooleanSupplier isLeased) {
    return switch (kind()) {
      case WORKFLOW -> new WorkflowExecution(services, lease, isLeased);
      case TASK -> new TaskExecution(services, lease, isLeased);
    };
  }

  // One that can't be started is left to its lease: this thread serves all others.
  private boolean start(LeasedExecution lease, long takenAt) {
    try {
      var execution = execution(lease, isLeased(takenAt));
      var before = running.put(lease.id(), execution);
      if (before != null) replaced(before);
      threads.execute(() -> run(execution));
      return true;
    } catch (RuntimeException | Error failed) {
      log.error("{} {} can't be started", kind().wire(), lease.id(), failed);
      running.remove(lease.id());
      return false;
    }
  }

  private void run(Execution execution) {
    execution.execute();
    if (!execution.isAbandoned()) end(execution); // else the thread that took over ends it
  }

  private void end(Execution execution) {
    execution.release();
    running.remove(execution.id(), execution);
    if (execution.end()) slots.release();
  }

  // Taken again before the code of the expired lease has noticed its end.
  private void replaced(Execution before) {
    before.stop(Reason.LEASE_LOST);
    if (before.end()) slots.release();
  }

  // Code that ignores its interrupt keeps its thread, but not its slot.
  private void abandon(Execution execution) {
    var reason = execution.abandon();
    if (reason == null) return;
    log.warn("{} {} ignores its interrupt", kind().wire(), execution.id());
    threads.execute(() -> {
      execution.endAbandoned(reason);
      end(execution);
    });
  }
}
