package io.tidemill.processor;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.tidemill.api.WorkFailure;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.json.Json;
import io.tidemill.observe.LogContext;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.processor.ExecutionStopped.Reason;
import io.tidemill.redis.RedisException;
import io.tidemill.workflow.ExecutionChange;
import io.tidemill.workflow.ExecutionQueue;
import io.tidemill.workflow.LeasedExecution;
import io.tidemill.workflow.Transition;
import io.tidemill.workflow.Transition.Write;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// A workflow or task that this process holds and runs: its lease, its thread with the deadline,
/// and the journal of its changes and events.
abstract class Execution {
  /// What all executions of a kind share.
  record Services(
      ExecutionQueue queue,
      OutboxRelay relay,
      InstantSource clock,
      ObjectNode metadata,
      ProcessorConfig config,
      ExecutionProcessor.Capabilities capabilities,
      RetrySchedule retries,
      Traces traces,
      MeterRegistry metrics) {}

  private static final Logger log = LoggerFactory.getLogger(Execution.class);
  private static final Duration PROGRESS_PAUSE = Duration.ofMillis(250);
  private static final Duration INTERRUPT_GRACE = Duration.ofSeconds(5);

  protected final Services services;
  protected final LeasedExecution lease;
  private final BooleanSupplier isLeased;
  private final ExecutionJournal journal;
  private long progressAt = System.nanoTime() - PROGRESS_PAUSE.toNanos();

  private @Nullable Thread worker; // only while a step or task type runs
  private Duration limit = Duration.ZERO;
  private long deadline;
  private long stoppedAt;
  private boolean isAbandoned;
  private volatile @Nullable Reason stop;
  private volatile boolean isReleased;
  private final AtomicBoolean hasEnded = new AtomicBoolean();
  private final AtomicBoolean isFlushing = new AtomicBoolean();

  /// @param isLeased whether the lease is valid as far as this process knows without asking Redis
  Execution(Services services, LeasedExecution lease, BooleanSupplier isLeased) {
    this.services = services;
    this.lease = lease;
    this.isLeased = isLeased;
    // After a crash each step is written before the next one starts, so that the culprit is known.
    var repeatable =
        lease.bookkeeping().takes() > 1 ? Duration.ZERO : services.config().repeatable();
    journal = new ExecutionJournal(services, lease, repeatable, this::mayPublish);
  }

  /// Runs until it ends, waits or has to stop.
  abstract void run();

  /// Lets the current step cancel what it started elsewhere.
  void cancelStep() {}

  /// The code ignores its interrupt after the deadline: the attempt counts as failed.
  abstract void timedOut();

  abstract SpanKind spanKind();

  /// Name or type, for the trace.
  abstract String title();

  LeasedExecution lease() {
    return lease;
  }

  String id() {
    return lease.id();
  }

  ExecutionKind kind() {
    return services.queue().kind();
  }

  Instant now() {
    return services.clock().instant();
  }

  boolean isLeased() {
    return isLeased.getAsBoolean();
  }

  private boolean mayPublish() {
    return !isReleased && stop != Reason.LEASE_LOST && isLeased();
  }

  /// Whether it ends with this call; false when it has ended before.
  boolean end() {
    return !hasEnded.getAndSet(true);
  }

  /// Runs it on this thread; never throws.
  void execute() {
    attempt(() -> inContext(this::run));
  }

  /// Takes over from code that ignores its interrupt.
  void endAbandoned(Reason reason) {
    attempt(() -> {
      if (reason == Reason.TIMED_OUT) inContext(this::timedOut);
      else stopped(reason);
    });
  }

  private void attempt(Runnable body) {
    try {
      body.run();
    } catch (ExecutionStopped stopped) {
      stopped(stopped.reason());
    } catch (RedisException unavailable) {
      // The next holder continues from what is written.
      log.warn("{} {} is left to its lease: {}", kind().wire(), id(), unavailable.getMessage());
    } catch (RuntimeException | Error unexpected) {
      log.error("{} {} is left to its lease", kind().wire(), id(), unexpected);
    }
  }

  private void stopped(Reason reason) {
    try {
      switch (reason) {
        // A late cancel may meet the run after a retry: that one goes back to the queue.
        case CANCELED -> {
          inContext(this::cancelStep);
          if (!journal.done()) giveBack();
        }
        case SHUTDOWN -> giveBack();
        case LEASE_LOST, TIMED_OUT ->
            log.info("{} {} is held by another process now", kind().wire(), id());
      }
    } catch (ExecutionStopped again) {
      if (again.reason() == Reason.CANCELED) stopped(Reason.CANCELED);
    } catch (RedisException unavailable) {
      log.info("{} {} is left to its lease: {}", kind().wire(), id(), unavailable.getMessage());
    }
  }

  // With the id in every log line, and as a part of the trace that asked for it.
  private void inContext(Runnable body) {
    try (var _ = LogContext.with(kind().idField(), id())) {
      services
          .traces()
          .inSpan(
              spanKind(),
              kind().wire() + " " + title(),
              lease.bookkeeping().traceparent(),
              () -> {
                if (lease.status() == ExecutionStatus.PENDING) Traces.about(kind().wire(), id());
                body.run();
                return null;
              });
    }
  }

  /// Publishes events that an earlier holder recorded and may not have published.
  void publishRecorded() {
    journal.publish();
  }

  /// Writes what was decided; publishes its events unless both may wait.
  void record(Transition<?> transition) {
    switch (transition.write()) {
      case Write.Deferred() -> journal.note(transition.change(), transition.events());
      case Write.Immediate() -> journal.save(transition.change(), transition.events());
      case Write.Release(var until) when transition.events().isEmpty() ->
          journal.release(until, transition.change());
      // The event is published before the lease ends: the next holder has nothing to publish.
      case Write.Release(var until) -> {
        journal.save(transition.change(), transition.events());
        releaseUntil(until);
      }
    }
  }

  void releaseUntil(Instant due) {
    journal.release(due, new ExecutionChange());
  }

  /// Ends it: publishes the rest, then leaves the queue.
  ///
  /// @param removed fields that are of no use any more
  void done(String... removed) {
    journal.done(removed);
  }

  private void giveBack() {
    release();
    journal.giveBack();
  }

  /// Publishes nothing from now on.
  void release() {
    isReleased = true;
  }

  /// The log line, whose id is in the context already, and the figures of C2.11.
  void countProcessed(String eventType, long millis, boolean success) {
    Traces.about(kind().wire(), id());
    if (!success) Traces.fail(kind().wire() + " failed");
    Timer.builder("flow.processing")
        .description("From the start of a workflow or an attempt at a task to its end")
        .tag("kind", kind().wire())
        .tag("success", String.valueOf(success))
        .publishPercentiles(0.5, 0.95, 0.99)
        .register(services.metrics())
        .record(millis, TimeUnit.MILLISECONDS);
    log.atInfo()
        .addKeyValue("topic", kind().topic())
        .addKeyValue("eventType", eventType)
        .addKeyValue("processingTime", millis)
        .addKeyValue("success", success)
        .log("Event processed");
  }

  /// Reports progress to followers, at most every 250 ms.
  void progress(double fraction, String message, ObjectNode more) {
    var now = System.nanoTime();
    if (now - progressAt < PROGRESS_PAUSE.toNanos()) return;
    progressAt = now;
    more.put("fraction", Math.clamp(fraction, 0, 1)).put("message", message);
    try {
      journal.flush(); // earlier events come first
    } catch (RedisException unavailable) {
      stop(Reason.LEASE_LOST);
      throw new ExecutionStopped(Reason.LEASE_LOST);
    }
    if (journal.hasUnpublished()) flushInBackground();
    saveProgress(Json.text(more));
  }

  private void saveProgress(String data) {
    try {
      switch (journal.progress(data)) {
        case FENCED -> throw new ExecutionStopped(Reason.LEASE_LOST);
        case CANCELED -> throw new ExecutionStopped(Reason.CANCELED);
        case SAVED, UNSENT, OPEN -> {}
      }
    } catch (RedisException unavailable) {
      // Followers miss one message.
    }
  }

  private void flushInBackground() {
    if (isFlushing.compareAndSet(false, true)) Thread.startVirtualThread(this::flush);
  }

  private void flush() {
    try {
      journal.flush();
      journal.publish();
    } catch (ExecutionStopped stopped) {
      stop(stopped.reason());
    } catch (RedisException unavailable) {
      log.warn("{} {} is left to its lease: {}", kind().wire(), id(), unavailable.getMessage());
      stop(Reason.LEASE_LOST);
    } finally {
      isFlushing.set(false);
    }
  }

  /// Calls a step or task type, which is interrupted at its deadline or by [#stop].
  ///
  /// @throws ExecutionStopped when it was stopped for a reason that is not its own fault
  <T> T call(Duration limit, Callable<T> body) throws Exception {
    begin(limit);
    try {
      return body.call();
    } catch (Exception | Error failed) {
      if (stop == null) throw failed;
    } finally {
      finishCall();
    }
    var reason = stop;
    if (reason == Reason.TIMED_OUT) throw timeout();
    throw new ExecutionStopped(reason == null ? Reason.LEASE_LOST : reason);
  }

  WorkFailure timeout() {
    return WorkFailure.passing("TIMEOUT", "it took longer than " + limit.toSeconds() + " s");
  }

  private synchronized void begin(Duration longest) {
    if (stop == Reason.TIMED_OUT) stop = null;
    if (stop != null) throw new ExecutionStopped(stop);
    limit = longest;
    deadline = System.nanoTime() + longest.toNanos();
    worker = Thread.currentThread();
  }

  private synchronized void finishCall() {
    worker = null;
    var _ = Thread.interrupted(); // meant for the code that has just ended
    // Another thread has taken over meanwhile.
    if (isAbandoned) throw new ExecutionStopped(Reason.LEASE_LOST);
  }

  /// Interrupts it; the first reason counts, except that a lost lease always does.
  synchronized void stop(Reason reason) {
    if (stop == null) stoppedAt = System.nanoTime();
    if (stop == null || reason == Reason.LEASE_LOST) stop = reason;
    if (worker != null) worker.interrupt();
  }

  synchronized boolean isAbandoned() {
    return isAbandoned;
  }

  /// Gives up on code that ignores its interrupt: its result will not count.
  ///
  /// @return why it was interrupted; null when there is nothing to give up on
  synchronized @Nullable Reason abandon() {
    var ignoresInterrupt =
        worker != null && stop != null && stop != Reason.SHUTDOWN && !isAbandoned;
    if (!ignoresInterrupt || System.nanoTime() - stoppedAt < INTERRUPT_GRACE.toNanos()) return null;
    isAbandoned = true;
    return stop;
  }

  /// Interrupts it after its deadline, and flushes changes that were deferred for too long.
  void check() {
    if (journal.isOverdue()) flushInBackground();
    interruptIfOverdue();
  }

  private synchronized void interruptIfOverdue() {
    if (worker != null && System.nanoTime() - deadline > 0) stop(Reason.TIMED_OUT);
  }
}
