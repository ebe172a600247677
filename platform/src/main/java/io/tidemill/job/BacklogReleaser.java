package io.tidemill.job;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.redis.RedisException;
import io.tidemill.service.Service;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Releases waiting jobs to the queue and expires those that were never started. It runs in every
/// gateway and worker; one of them alive is enough.
///
/// Our workers release jobs whenever they take some; this is for workers of another make, which
/// only read the queue, and for timeouts. It runs often only while jobs wait.
public final class BacklogReleaser implements Service {
  private static final Logger log = LoggerFactory.getLogger(BacklogReleaser.class);
  private static final Duration WHILE_JOBS_WAIT = Duration.ofMillis(50);
  private static final Duration MIN_PAUSE = Duration.ofMillis(10);
  private static final Duration IDLE_PAUSE = Duration.ofSeconds(1);

  private final JobBacklog backlog;
  private final Counter released;
  private final Counter expired;
  private final Semaphore joined = new Semaphore(0);
  private final Thread thread = Thread.ofVirtual().name("job-line").unstarted(this::releaseAll);
  private volatile long inLine;
  private volatile long unread;
  private boolean failing;

  public BacklogReleaser(JobBacklog backlog, MeterRegistry metrics) {
    this.backlog = backlog;
    released =
        Counter.builder("jobs.released")
            .description("Jobs that this process moved from their line to the queue")
            .register(metrics);
    expired =
        Counter.builder("jobs.expired")
            .description("Jobs that this process ended because nobody started them in time")
            .register(metrics);
    gauge("line", () -> inLine, metrics);
    gauge("queue", () -> unread, metrics);
  }

  private static void gauge(String state, Supplier<Number> value, MeterRegistry metrics) {
    Gauge.builder("jobs.waiting", value)
        .description("Jobs that wait: in line, or unread in the queue")
        .tag("in", state)
        .register(metrics);
  }

  @Override
  public String name() {
    return "job line";
  }

  @Override
  public void start() {
    backlog.onJoin(this::wakeUp);
    thread.start();
  }

  @Override
  public void stop() {
    thread.interrupt();
  }

  private void wakeUp() {
    if (joined.availablePermits() == 0) joined.release();
  }

  private void releaseAll() {
    try {
      while (!thread.isInterrupted()) {
        joined.drainPermits();
        var pause = release();
        // While jobs wait, another one changes nothing.
        if (inLine > 0) Thread.sleep(pause);
        else joined.tryAcquire(pause.toMillis(), TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException stop) {
      // The service stops.
    }
  }

  private Duration release() {
    try {
      var result = backlog.expireAndRelease();
      failing = false;
      released.increment((double) result.released());
      expired.increment((double) result.expired());
      inLine = result.inLine();
      unread = result.unread();
      return pause(result);
    } catch (RedisException unreachable) {
      if (!failing && !thread.isInterrupted()) {
        log.warn("jobs in line: {}", unreachable.getMessage());
      }
      failing = true;
      return IDLE_PAUSE;
    } catch (RuntimeException unexpected) {
      // Without this thread jobs would wait for ever.
      if (!failing) log.error("jobs in line", unexpected);
      failing = true;
      return IDLE_PAUSE;
    }
  }

  private static Duration pause(JobBacklog.Result result) {
    var most = result.inLine() > 0 ? WHILE_JOBS_WAIT : IDLE_PAUSE;
    if (result.next().isNegative() || result.next().compareTo(most) > 0) return most;
    return result.next().compareTo(MIN_PAUSE) < 0 ? MIN_PAUSE : result.next();
  }
}
