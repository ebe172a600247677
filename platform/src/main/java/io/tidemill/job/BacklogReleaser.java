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

/// Looks after jobs that wait: gateways and workers all do, and one of them alive is enough.
///
/// Our workers move jobs to the queue themselves while they take some; this is for those who only
/// read it, and for what comes with time. It looks often only while somebody waits.
public final class BacklogReleaser implements Service {
  private static final Logger log = LoggerFactory.getLogger(BacklogReleaser.class);
  private static final Duration WHILE_SOMEBODY_WAITS = Duration.ofMillis(50);
  private static final Duration AT_LEAST = Duration.ofMillis(10);
  private static final Duration OTHERWISE = Duration.ofSeconds(1);

  private final JobBacklog line;
  private final Counter released;
  private final Counter expired;
  private final Semaphore joined = new Semaphore(0);
  private final Thread thread = Thread.ofVirtual().name("job-line").unstarted(this::keep);
  private volatile long inLine;
  private volatile long unread;
  private boolean failing;

  public BacklogReleaser(JobBacklog line, MeterRegistry metrics) {
    this.line = line;
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
    line.onJoin(this::wake);
    thread.start();
  }

  @Override
  public void stop() {
    thread.interrupt();
  }

  private void wake() {
    if (joined.availablePermits() == 0) joined.release();
  }

  private void keep() {
    try {
      while (!thread.isInterrupted()) {
        joined.drainPermits();
        var pause = look();
        // While somebody waits, who else joins is no news.
        if (inLine > 0) Thread.sleep(pause);
        else joined.tryAcquire(pause.toMillis(), TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException stop) {
      // It was told to.
    }
  }

  private Duration look() {
    try {
      var tended = line.tend();
      failing = false;
      released.increment((double) tended.released());
      expired.increment((double) tended.expired());
      inLine = tended.inLine();
      unread = tended.unread();
      return pause(tended);
    } catch (RedisException unreachable) {
      if (!failing && !thread.isInterrupted()) {
        log.warn("jobs in line: {}", unreachable.getMessage());
      }
      failing = true;
      return OTHERWISE;
    } catch (RuntimeException unexpected) {
      // Without this thread jobs would wait for ever, and nobody would know.
      if (!failing) log.error("jobs in line", unexpected);
      failing = true;
      return OTHERWISE;
    }
  }

  private static Duration pause(JobBacklog.Tended tended) {
    var most = tended.inLine() > 0 ? WHILE_SOMEBODY_WAITS : OTHERWISE;
    if (tended.next().isNegative() || tended.next().compareTo(most) > 0) return most;
    return tended.next().compareTo(AT_LEAST) < 0 ? AT_LEAST : tended.next();
  }
}
