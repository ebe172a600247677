package io.tidemill.deadletter.redrive;

import io.tidemill.deadletter.redrive.RedriveStore.Held;
import io.tidemill.deadletter.redrive.RedriveStore.Next;
import io.tidemill.redis.RedisException;
import io.tidemill.service.PeriodicTask;
import io.tidemill.service.Service;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs redrives, also those of gateways that crashed: each dead letter once, in the order of the
/// selection, within the rate limit.
public final class RedriveRunner implements Service {
  private static final Logger log = LoggerFactory.getLogger(RedriveRunner.class);
  private static final Duration TAKE_INTERVAL = Duration.ofMillis(250);
  private static final Duration TIDY_INTERVAL = Duration.ofMinutes(5);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(10);
  private static final int CONCURRENCY = 4;

  private final RedriveStore redrives;
  private final DeadLetterCatalog catalog;
  private final Map<RedriveExecution, Thread> running = new ConcurrentHashMap<>();
  private final PeriodicTask take;
  private final PeriodicTask renew;
  private final PeriodicTask tidy;
  private volatile boolean stopping;

  public RedriveRunner(RedriveStore redrives, DeadLetterCatalog catalog) {
    this.redrives = redrives;
    this.catalog = catalog;
    take = new PeriodicTask("redrives", TAKE_INTERVAL, this::take);
    renew = new PeriodicTask("redrive leases", redrives.lease().dividedBy(3), this::renew);
    tidy = new PeriodicTask("notes on dead letters", TIDY_INTERVAL, this::tidy);
  }

  @Override
  public String name() {
    return "redrives";
  }

  @Override
  public void start() {
    take.start();
    renew.start();
    tidy.start();
  }

  @Override
  public void stop() {
    stopping = true;
    tidy.stop();
    take.stop();
    running.values().forEach(Thread::interrupt);
    var deadline = System.nanoTime() + STOP_LIMIT.toNanos();
    for (var thread : running.values()) await(thread, deadline);
    renew.stop();
  }

  private static void await(Thread thread, long deadline) {
    try {
      thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void take() {
    try {
      while (!stopping && running.size() < CONCURRENCY) {
        var taken = redrives.take();
        if (taken.isEmpty()) return;
        start(new RedriveExecution(taken.get(), redrives, catalog));
      }
    } catch (RedisException unavailable) {
      log.debug("no redrive is taken: {}", unavailable.getMessage());
    }
  }

  private void start(RedriveExecution execution) {
    var name = "redrive " + execution.held().id();
    var thread = Thread.ofVirtual().name(name).unstarted(() -> run(execution));
    running.put(execution, thread);
    thread.start();
  }

  private void run(RedriveExecution execution) {
    var held = execution.held();
    try {
      execution.run();
    } catch (InterruptedException stopped) {
      release(held);
    } catch (RedisException unavailable) {
      // The lease expires, and a process that can reach the store takes over.
      log.warn("redrive {} stops here: {}", held.id(), unavailable.getMessage());
    } finally {
      running.remove(execution);
      catalog.changed();
    }
  }

  private void release(Held held) {
    Thread.interrupted(); // else the call to Redis would fail
    try {
      redrives.release(held);
    } catch (RedisException unavailable) {
      log.debug("redrive {} waits for its lease: {}", held.id(), unavailable.getMessage());
    }
  }

  private void renew() {
    running.forEach((execution, thread) -> {
      var held = execution.held();
      try {
        if (redrives.renew(held, execution.waitsFor()) == Next.FENCED) thread.interrupt();
      } catch (RedisException unavailable) {
        log.debug("redrive {} is not renewed: {}", held.id(), unavailable.getMessage());
      }
    });
  }

  private void tidy() {
    try {
      catalog.tidy();
    } catch (RedisException unavailable) {
      log.debug("notes on dead letters are tidied later: {}", unavailable.getMessage());
    }
  }
}
