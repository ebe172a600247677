package io.tidemill.processor;

import io.tidemill.processor.ExecutionStopped.Reason;
import io.tidemill.redis.RedisException;
import io.tidemill.workflow.ExecutionQueue;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Renews the leases of running executions, enforces their deadlines, and stops those whose lease
/// is lost.
final class LeaseRenewer {
  private static final Logger log = LoggerFactory.getLogger(LeaseRenewer.class);
  private static final Duration TICK = Duration.ofMillis(100);

  private final ExecutionQueue queue;
  private final Map<String, Execution> running;
  private final Duration lease;
  private final Consumer<Execution> onTick;
  private final Thread thread;
  private volatile long renewedAt = System.nanoTime();

  /// @param onTick called for each running execution on every tick
  LeaseRenewer(
      ExecutionQueue queue,
      Map<String, Execution> running,
      Duration lease,
      Consumer<Execution> onTick) {
    this.queue = queue;
    this.running = running;
    this.lease = lease;
    this.onTick = onTick;
    thread =
        Thread.ofPlatform()
            .daemon()
            .name(queue.kind().topic() + " keeper")
            .unstarted(this::tickAll);
  }

  void start() {
    thread.start();
  }

  void stop() {
    thread.interrupt();
  }

  boolean isAlive() {
    return thread.isAlive();
  }

  /// When the leases were last renewed, or else when it began, in nanoseconds.
  long renewedAt() {
    return renewedAt;
  }

  private void tickAll() {
    renewedAt = System.nanoTime();
    try {
      while (true) {
        Thread.sleep(TICK);
        tick();
      }
    } catch (InterruptedException ends) {
      // The process stops.
    }
  }

  // Without this thread all leases would expire: it survives every exception.
  private void tick() {
    try {
      if (System.nanoTime() - renewedAt >= lease.toNanos() / 3) renew();
      for (var execution : running.values()) {
        execution.check();
        onTick.accept(execution);
      }
    } catch (RuntimeException | Error unexpected) {
      log.error("the lease renewal of {} failed", queue.kind().topic(), unexpected);
    }
  }

  private void renew() {
    var begun = System.nanoTime();
    if (isRenewed()) renewedAt = begun;
    else if (System.nanoTime() - renewedAt > lease.toNanos()) loseAll();
  }

  private boolean isRenewed() {
    var executions = List.copyOf(running.values());
    try {
      var leases = executions.stream().map(Execution::lease).toList();
      var answers = queue.renew(leases, lease);
      for (int i = 0; i < answers.size(); i++) {
        switch (answers.get(i)) {
          case FENCED -> executions.get(i).stop(Reason.LEASE_LOST);
          case CANCELED -> executions.get(i).stop(Reason.CANCELED);
          case SAVED, UNSENT, OPEN -> {}
        }
      }
      return true;
    } catch (RedisException unavailable) {
      log.debug(
          "leases of {} can't be renewed: {}", queue.kind().topic(), unavailable.getMessage());
      return false;
    }
  }

  // Other processes may hold these by now, except those taken since.
  private void loseAll() {
    for (var execution : running.values()) {
      if (!execution.isLeased()) execution.stop(Reason.LEASE_LOST);
    }
  }
}
