package io.tidemill.processor;

import io.tidemill.api.WorkFailure;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionRecords;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.json.Json;
import io.tidemill.redis.RedisException;
import io.tidemill.workflow.ExecutionChange;
import io.tidemill.workflow.ExecutionQueue;
import io.tidemill.workflow.LeasedExecution;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// A workflow or task that this process holds and works on: its record, its events, its fence.
final class Execution {
  /// What all of them share.
  ///
  /// @param repeatable how long work may have taken that is done again after a crash
  record Services(
      ExecutionQueue queue,
      OutboxRelay relay,
      InstantSource clock,
      ObjectNode metadata,
      Duration repeatable) {}

  private static final Logger log = LoggerFactory.getLogger(Execution.class);

  private static final Duration PROGRESS_PAUSE = Duration.ofMillis(250);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Services desk;
  private final LeasedExecution held;
  private final BooleanSupplier leased;
  private final ExecutionJournal journal;
  private long progressAt = System.nanoTime() - PROGRESS_PAUSE.toNanos();

  private @Nullable Thread worker; // only while it does somebody else's code
  private Duration limit = Duration.ZERO;
  private long deadline;
  private long stoppedAt;
  private boolean isAbandoned;
  private volatile @Nullable StopReason stop;
  private volatile boolean isLetGo;
  private final AtomicBoolean isCatchingUp = new AtomicBoolean();

  /// @param leased whether the lease is good, as far as this process can tell without asking
  Execution(Services desk, LeasedExecution held, BooleanSupplier leased) {
    this.desk = desk;
    this.held = held;
    this.leased = leased;
    // What somebody died over goes step by step, so that the culprit is known.
    var repeatable = takes() > 1 ? Duration.ZERO : desk.repeatable();
    journal = new ExecutionJournal(desk, held, repeatable, this::isOurs);
  }

  LeasedExecution held() {
    return held;
  }

  String id() {
    return held.id();
  }

  ExecutionKind kind() {
    return desk.queue().kind();
  }

  Map<String, String> record() {
    return held.fields();
  }

  String field(String name) {
    return held.field(name);
  }

  ExecutionStatus status() {
    return ExecutionStatus.of(held.field("status")).orElse(ExecutionStatus.PENDING);
  }

  /// How often it was taken since it last got anywhere, this time included.
  int takes() {
    return ExecutionRecords.number(record(), "takes");
  }

  Instant now() {
    return desk.clock().instant();
  }

  Optional<String> traceparent() {
    return Optional.of(held.field("traceparent")).filter(text -> !text.isEmpty());
  }

  /// Publishes what an earlier holder recorded and may not have published.
  void sendLeftovers() {
    journal.publish();
  }

  /// Notes a change together with the events that tell of it: written down now if it took long to
  /// come about, else with what follows.
  void note(ExecutionChange change, ExecutionEvent... events) {
    journal.note(change, events);
  }

  /// Writes a change down together with the events that tell of it, then publishes these.
  void save(ExecutionChange change, ExecutionEvent... events) {
    journal.save(change, events);
  }

  /// Ends it for good: whatever is still to be published, then nobody takes it again.
  ///
  /// @param removed fields that nobody needs any more
  /// @return whether it has ended; not if it has a life before it still
  boolean done(String... removed) {
    return journal.done(removed);
  }

  /// Lets go of it, to be taken again at that time.
  void again(Instant at, ExecutionChange change) {
    journal.again(at, change);
  }

  /// Lets go of it at once: this process ends.
  void giveBack() {
    release();
    journal.giveBack();
  }

  /// From now on nothing more is said of it here.
  void release() {
    isLetGo = true;
  }

  /// Tells followers how far it is; not more often than they can read.
  void progress(double fraction, String message, ObjectNode more) {
    var now = System.nanoTime();
    if (now - progressAt < PROGRESS_PAUSE.toNanos()) return;
    progressAt = now;
    more.put("fraction", Math.clamp(fraction, 0, 1)).put("message", message);
    try {
      journal.flush(); // what was to be told before
    } catch (RedisException away) {
      stop(StopReason.LOST);
      throw new ExecutionStopped(StopReason.LOST);
    }
    if (journal.isUntold()) startToCatchUp();
    tellProgress(Json.text(more));
  }

  private void tellProgress(String data) {
    try {
      switch (journal.progress(data)) {
        case FENCED -> throw new ExecutionStopped(StopReason.LOST);
        case CANCELED -> throw new ExecutionStopped(StopReason.CANCELED);
        case SAVED, UNSENT, OPEN -> {}
      }
    } catch (RedisException away) {
      // Followers miss a word.
    }
  }

  private void startToCatchUp() {
    if (isCatchingUp.compareAndSet(false, true)) Thread.startVirtualThread(this::catchUp);
  }

  // While somebody else's code runs: it is told to stop when there is no use in going on.
  private void catchUp() {
    try {
      journal.flush();
      journal.publish();
    } catch (ExecutionStopped stopped) {
      stop(stopped.why());
    } catch (RedisException away) {
      log.warn("{} {} is left to its lease: {}", kind().wire(), id(), away.getMessage());
      stop(StopReason.LOST);
    } finally {
      isCatchingUp.set(false);
    }
  }

  private boolean isOurs() {
    return !isLetGo && stop != StopReason.LOST && leased.getAsBoolean();
  }

  /// Runs somebody else's code, which is interrupted when the time is over or [#stop] is called.
  ///
  /// @throws Stopped when it was to stop for a reason that is not its own fault
  <T> T work(Duration limit, Callable<T> body) throws Exception {
    begin(limit);
    try {
      return body.call();
    } catch (Exception | Error failed) {
      if (stop == null) throw failed;
    } finally {
      end();
    }
    var why = stop;
    if (why == StopReason.LATE) throw overtime();
    throw new ExecutionStopped(why == null ? StopReason.LOST : why);
  }

  /// That it took too long.
  WorkFailure overtime() {
    return WorkFailure.passing("TIMEOUT", "it took longer than " + limit.toSeconds() + " s");
  }

  private synchronized void begin(Duration most) {
    if (stop == StopReason.LATE) stop = null;
    if (stop != null) throw new ExecutionStopped(stop);
    limit = most;
    deadline = System.nanoTime() + most.toNanos();
    worker = Thread.currentThread();
  }

  private synchronized void end() {
    worker = null;
    var _ = Thread.interrupted(); // meant for the code that has just ended
    if (isAbandoned)
      throw new ExecutionStopped(StopReason.LOST); // others have spoken for it meanwhile
  }

  /// Asks it to stop; the first reason counts.
  synchronized void stop(StopReason why) {
    if (stop == null) stoppedAt = System.nanoTime();
    if (stop == null || why == StopReason.LOST) stop = why;
    if (worker != null) worker.interrupt();
  }

  synchronized boolean isAbandoned() {
    return isAbandoned;
  }

  /// Gives up on code that goes on though it was asked to stop: whatever it comes back with will
  /// not count.
  ///
  /// @return why it was to stop; null when there is nothing to give up on
  synchronized @Nullable StopReason abandon() {
    var isDeaf = worker != null && stop != null && stop != StopReason.LEAVING && !isAbandoned;
    if (!isDeaf || System.nanoTime() - stoppedAt < PATIENCE.toNanos()) return null;
    isAbandoned = true;
    return stop;
  }

  /// Stops it if its time is over, and sees to it that what it said is known before long.
  void check() {
    if (journal.isLate()) startToCatchUp();
    stopIfLate();
  }

  private synchronized void stopIfLate() {
    if (worker != null && System.nanoTime() - deadline > 0) stop(StopReason.LATE);
  }
}
