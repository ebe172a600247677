package io.tidemill.worker;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.job.HeldJob;
import io.tidemill.job.JobQueue;
import io.tidemill.job.JobQueue.Settled;
import io.tidemill.job.JobTransition;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.redis.RedisException;
import io.tidemill.work.Backoff;
import io.tidemill.work.Lease;
import io.tidemill.work.Outcome;
import io.tidemill.work.Settlement;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Settles deliveries by the outcome of their jobs, and counts the results.
final class JobSettler {
  private static final Logger log = LoggerFactory.getLogger(JobSettler.class);
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(2));

  private final JobQueue queue;
  private final long maxResult;
  private final Duration deferLimit;
  private final MeterRegistry metrics;
  private volatile boolean stopped;

  /// @param maxResult bytes of JSON
  /// @param deferLimit how long a deferral is repeated
  JobSettler(JobQueue queue, long maxResult, Duration deferLimit, MeterRegistry metrics) {
    this.queue = queue;
    this.maxResult = maxResult;
    this.deferLimit = deferLimit;
    this.metrics = metrics;
  }

  /// From here on each change is tried once.
  void stop() {
    stopped = true;
  }

  /// @param entry the fields of the queue entry, for a dead letter
  /// @return whether Redis answered
  boolean settle(HeldJob job, Outcome outcome, Map<String, byte[]> entry) {
    var next = JobTransition.after(job, outcome, maxResult);
    return switch (next.settlement()) {
      case Settlement.Done _, Settlement.DeadLetter _ -> finish(job, next, entry);
      case Settlement.Retry(_, var why) -> retry(job, next, why);
      case Settlement.Defer _ -> defer(job, next);
    };
  }

  // Not repeated for long: when the lease is over, the next attempt may have an equal one. A
  // delivery that can't be deferred counts, and the entry stays pending all the same.
  private boolean defer(HeldJob job, JobTransition next) {
    var deadline = System.nanoTime() + deferLimit.toNanos();
    for (int failures = 1; ; failures++) {
      try {
        queue.settle(job, next, Map.of());
        return true;
      } catch (RedisException failed) {
        if (stopped || failed.isRefusal() || System.nanoTime() - deadline > 0) {
          log.info("a delivery counts though it was cut off: {}", failed.getMessage());
          return failed.isRefusal();
        }
        BACKOFF.pause(failures);
      }
    }
  }

  private boolean finish(HeldJob job, JobTransition next, Map<String, byte[]> entry) {
    var settled =
        Traces.part(
            SpanKind.REDIS, "finish job", () -> persist(() -> queue.settle(job, next, entry)));
    if (settled == null) return false;
    count(settled == Settled.FINISHED ? next.status().wire() : label(settled));
    return true;
  }

  // The entry stays pending even without Redis: then only the event is missing.
  private boolean retry(HeldJob job, JobTransition next, String why) {
    log.info("will be tried again: {}", why);
    try {
      queue.settle(job, next, Map.of());
      return true;
    } catch (RedisException unreachable) {
      log.debug("the retry is not reported: {}", unreachable.getMessage());
      return false;
    }
  }

  /// Moves an entry that names no job to the dead letters.
  void bury(Lease lease, String why, Map<String, byte[]> entry) {
    log.warn("entry {} is no job: {}", lease.entry(), why);
    count("malformed");
    persist(() -> {
      queue.bury(lease, "MALFORMED", why, entry);
      return true;
    });
  }

  /// Repeats a change until Redis answers: all are idempotent, and the lease fences late ones.
  ///
  /// @return null when the worker stopped first
  /// @throws RedisException when Redis refuses the change
  <T> @Nullable T persist(Supplier<T> change) {
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

  void count(String end) {
    metrics.counter("worker.deliveries", "end", end).increment();
  }

  static String label(Enum<?> answer) {
    return answer.name().toLowerCase(Locale.ROOT);
  }
}
