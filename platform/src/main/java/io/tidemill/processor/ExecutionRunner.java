package io.tidemill.processor;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.contract.workflow.ExecutionKind;
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
  // What the store calls may be missed; then this is how late we notice.
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);
  private static final Duration LOOK_UP = Duration.ofMillis(100);
  private static final int MOST_AT_ONCE = 64;

  /// Makes what a workflow or task asks for out of what is held.
  interface Work {
    Run of(Execution flow);
  }

  /// One stay of a workflow or task with this process.
  interface Run {
    /// Works until it ends, waits or is taken away.
    void run();

    /// It was canceled while it ran here.
    default void cancel() {}

    /// What it called goes on though its time is over: that counts as a failure.
    void late();
  }

  /// How much at once, for how long at most.
  ///
  /// @param owner a name of this process that no other has
  record Limits(int slots, Duration lease, Duration stopTimeout, String owner) {}

  private final Execution.Services desk;
  private final Work work;
  private final Limits limits;
  private final Semaphore slots;
  private final Semaphore bell = new Semaphore(0);
  private final Map<String, RunContext> running = new ConcurrentHashMap<>();
  private final ExecutorService threads;
  private final Thread taker;
  private final LeaseRenewer keeper;
  private volatile boolean stopping;
  private volatile @Nullable String trouble;

  ExecutionRunner(Execution.Services desk, Work work, Limits limits, MeterRegistry metrics) {
    this.desk = desk;
    this.work = work;
    this.limits = limits;
    slots = new Semaphore(limits.slots());
    threads =
        Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name(kind().wire() + "-", 1).factory());
    taker = Thread.ofPlatform().name(kind().topic() + " taker").unstarted(this::takeAll);
    keeper = new LeaseRenewer(desk.queue(), running, limits.lease(), this::abandon);
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
    return desk.queue().kind();
  }

  @Override
  public String name() {
    return kind().topic() + " runner";
  }

  @Override
  public void start() {
    taker.start();
    keeper.start();
  }

  /// Takes nothing more.
  void rest() {
    stopping = true;
    wake();
  }

  /// Waits for what runs within the limit, then hands it on.
  @Override
  public void stop() {
    rest();
    try {
      taker.join();
      if (!slots.tryAcquire(
          limits.slots(), limits.stopTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
        running.values().forEach(stay -> stay.flow().stop(StopReason.LEAVING));
        var _ = slots.tryAcquire(limits.slots(), 5, TimeUnit.SECONDS);
      }
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
    keeper.stop();
    threads.shutdown();
  }

  /// There may be something to take.
  void wake() {
    bell.release();
  }

  /// Somebody canceled this one, wherever it runs.
  void cancel(String id) {
    var stay = running.get(id);
    if (stay != null) stay.flow().stop(StopReason.CANCELED);
  }

  boolean isHealthy() {
    return taker.isAlive() && keeper.isAlive() && trouble == null;
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
      } catch (RedisException away) {
        if (trouble == null) log.warn("{} can't take, and tries on: {}", name(), away.getMessage());
        trouble = away.getMessage();
        await(BACKOFF.after(++failures, ThreadLocalRandom.current()));
      } catch (InterruptedException ends) {
        return;
      }
    }
  }

  private void take() throws InterruptedException {
    while (!slots.tryAcquire(LOOK_UP.toMillis(), TimeUnit.MILLISECONDS)) {
      if (stopping) return;
    }
    var free = 1;
    while (free < MOST_AT_ONCE && slots.tryAcquire()) free++;
    var started = 0;
    bell.drainPermits(); // what rings from here on may be news
    try {
      if (stopping) return;
      var takenAt = System.nanoTime();
      var taken = desk.queue().take(limits.owner(), free, limits.lease());
      for (var flow : taken.flows()) {
        if (start(flow, takenAt)) started++;
      }
      if (started < free) {
        slots.release(free - started);
        free = started;
        await(pause(taken));
      }
    } finally {
      slots.release(free - started);
    }
  }

  private Duration pause(ExecutionQueue.Taken taken) {
    var due = taken.due();
    if (due == null) return LONGEST_WAIT;
    var wait = Duration.between(desk.clock().instant(), due).plusMillis(1);
    if (wait.isNegative()) return Duration.ofMillis(1);
    return wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
  }

  private void await(Duration most) {
    try {
      if (stopping) return;
      var _ = bell.tryAcquire(most.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException ends) {
      stopping = true;
    }
  }

  // A process that was put to sleep must think its leases lost before it says another word (F03).
  private BooleanSupplier isLeased(long takenAt) {
    return () -> {
      var renewed = keeper.renewedAt();
      var since = renewed - takenAt > 0 ? renewed : takenAt;
      return System.nanoTime() - since < limits.lease().toNanos();
    };
  }

  // One that can't be started is left to its lease: this thread serves all the others.
  private boolean start(LeasedExecution held, long takenAt) {
    try {
      var leased = isLeased(takenAt);
      var stay = new RunContext(new Execution(desk, held, leased), leased, work);
      var before = running.put(held.id(), stay);
      if (before != null) lose(before);
      threads.execute(() -> run(stay));
      return true;
    } catch (RuntimeException | Error failed) {
      log.error("{} {} can't be started", kind().wire(), held.id(), failed);
      running.remove(held.id());
      return false;
    }
  }

  private void run(RunContext stay) {
    attempt(stay, () -> stay.run().run());
    if (!stay.flow().isAbandoned()) end(stay); // else whoever speaks for it now does
  }

  private void end(RunContext stay) {
    stay.flow().release();
    running.remove(stay.flow().id(), stay);
    if (stay.end()) slots.release();
  }

  private void attempt(RunContext stay, Runnable body) {
    var id = stay.flow().id();
    try {
      body.run();
    } catch (ExecutionStopped stopped) {
      stopped(stay, stopped.why());
    } catch (RedisException away) {
      // Whoever takes it when the lease has run out goes on from what is written.
      log.warn("{} {} is left to its lease: {}", kind().wire(), id, away.getMessage());
    } catch (RuntimeException | Error unexpected) {
      log.error("{} {} is left to its lease", kind().wire(), id, unexpected);
    }
  }

  // We took it again before the code that ran for the last lease had noticed that this was over.
  private void lose(RunContext before) {
    before.flow().stop(StopReason.LOST);
    if (before.end()) slots.release();
  }

  private void stopped(RunContext stay, StopReason why) {
    var flow = stay.flow();
    try {
      switch (why) {
        // A late word of a cancel may meet the life after it.
        case CANCELED -> {
          stay.run().cancel();
          if (!flow.done()) flow.giveBack();
        }
        case LEAVING -> flow.giveBack();
        case LOST, LATE -> log.info("{} {} is somebody else's now", kind().wire(), flow.id());
      }
    } catch (ExecutionStopped lost) {
      if (lost.why() == StopReason.CANCELED) stopped(stay, StopReason.CANCELED);
    } catch (RedisException away) {
      log.info("{} {} is left to its lease: {}", kind().wire(), flow.id(), away.getMessage());
    }
  }

  // Code that ignores being asked to stop keeps its thread, but neither the slot nor the rest.
  private void abandon(RunContext stay) {
    var why = stay.flow().abandon();
    if (why == null) return;
    log.warn("{} {} goes on though it was told to stop", kind().wire(), stay.flow().id());
    threads.execute(() -> overrule(stay, why));
  }

  private void overrule(RunContext stay, StopReason why) {
    attempt(
        stay,
        () -> {
          if (why == StopReason.LATE) stay.run().late();
          else stopped(stay, why);
        });
    end(stay);
  }
}
