package io.tidemill.worker;

import io.tidemill.job.JobQueue;
import io.tidemill.redis.stream.StreamConsumer;
import io.tidemill.work.Lease;
import io.tidemill.work.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Renews the leases and the ttl of running jobs, stops those that lost their lease or took too
/// long (C3.8), and trims the queue (C3.9).
final class LeaseKeeper {
  private static final Logger log = LoggerFactory.getLogger(LeaseKeeper.class);
  private static final Duration TICK = Duration.ofMillis(100);
  private static final Duration ANNOUNCE_EVERY = Duration.ofSeconds(5);
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(5);
  private static final Duration WARN_EVERY = Duration.ofMinutes(1);
  private static final Duration TRIM_EVERY = Duration.ofSeconds(1);
  private static final long HELD_BACK_WARNING = 100_000;

  private final WorkerConfig config;
  private final StreamConsumer source;
  private final JobQueue queue;
  private final Map<Lease, RunningJob> running;
  private final BiConsumer<RunningJob, Outcome> endWithoutHandler;
  private final Duration tick;
  private final Thread thread = Thread.ofPlatform().name("worker-keep").unstarted(this::keepAll);
  private volatile boolean stopped;
  private boolean failing;
  private long warnedNanos = System.nanoTime() - WARN_EVERY.toNanos();

  /// @param running the jobs in flight; the worker adds and removes them
  /// @param endWithoutHandler ends a job whose handler ignores its interrupt
  LeaseKeeper(
      WorkerConfig config,
      StreamConsumer source,
      JobQueue queue,
      Map<Lease, RunningJob> running,
      BiConsumer<RunningJob, Outcome> endWithoutHandler) {
    this.config = config;
    this.source = source;
    this.queue = queue;
    this.running = running;
    this.endWithoutHandler = endWithoutHandler;
    var sixth = config.lease().dividedBy(6);
    tick = sixth.compareTo(TICK) < 0 ? sixth : TICK;
  }

  void start() {
    thread.start();
  }

  void stop() {
    stopped = true;
    thread.interrupt();
    try {
      thread.join(Duration.ofSeconds(10));
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  private void keepAll() {
    var nextTrim = System.nanoTime();
    var nextAnnouncement = nextTrim;
    while (!stopped) {
      var now = System.nanoTime();
      attempt(() -> expire(now));
      attempt(() -> renew(now));
      if (now - nextTrim >= 0) {
        attempt(this::trim);
        nextTrim = System.nanoTime() + TRIM_EVERY.toNanos();
      }
      if (now - nextAnnouncement >= 0) {
        attempt(() -> source.announce(config.announcement()));
        nextAnnouncement = System.nanoTime() + ANNOUNCE_EVERY.toNanos();
      }
      if (!pause()) return;
    }
  }

  // A failure of one duty must not stop the others.
  private void attempt(Runnable duty) {
    try {
      duty.run();
      failing = false;
    } catch (RuntimeException failed) {
      if (!failing && !stopped) log.warn("keeping leases: {}", failed.getMessage());
      failing = true;
    }
  }

  private boolean pause() {
    try {
      Thread.sleep(tick);
      return true;
    } catch (InterruptedException stop) {
      return false;
    }
  }

  private void expire(long now) {
    for (var job : running.values()) {
      if (job.runNanos(now) > config.timeout().toNanos()) {
        job.stop(new Outcome.Failed("TIMEOUT", "the job ran longer than " + config.timeout()));
      }
      job.ignoredStop(now, STOP_PATIENCE.toNanos())
          .ifPresent(outcome -> endWithoutHandler.accept(job, outcome));
    }
  }

  private void renew(long now) {
    var due = new ArrayList<RunningJob>();
    for (var job : running.values()) {
      if (job.isDueForRenewal(now, config.lease().toNanos())) due.add(job);
    }
    if (due.isEmpty()) return;
    for (var lost : source.renew(due.stream().map(job -> job.held().lease()).toList())) {
      var job = running.get(lost);
      if (job != null) job.stop(new Outcome.Abandoned());
    }
    var holds = queue.extend(due.stream().map(RunningJob::held).toList());
    for (int i = 0; i < due.size(); i++) {
      due.get(i).renewed(now);
      due.get(i).stopUnlessRunning(holds.get(i));
    }
  }

  private void trim() {
    var trimmed = source.trim();
    var now = System.nanoTime();
    if (trimmed.left() > HELD_BACK_WARNING && now - warnedNanos >= WARN_EVERY.toNanos()) {
      warnedNanos = now;
      log.warn("{} entries wait in the queue, held by group {}", trimmed.left(), trimmed.holder());
    }
  }
}
