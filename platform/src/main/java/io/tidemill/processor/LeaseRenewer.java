package io.tidemill.processor;

import io.tidemill.redis.RedisException;
import io.tidemill.workflow.ExecutionQueue;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Looks after what runs: keeps leases alive, sees to time limits, and tells who has lost what.
final class LeaseRenewer {
  private static final Logger log = LoggerFactory.getLogger(LeaseRenewer.class);
  private static final Duration TICK = Duration.ofMillis(100);

  private final ExecutionQueue queue;
  private final Map<String, RunContext> running;
  private final Duration lease;
  private final Consumer<RunContext> onTick;
  private final Thread thread;
  private volatile long renewedAt = System.nanoTime();

  /// @param onTick told of each that runs, again and again
  LeaseRenewer(
      ExecutionQueue queue,
      Map<String, RunContext> running,
      Duration lease,
      Consumer<RunContext> onTick) {
    this.queue = queue;
    this.running = running;
    this.lease = lease;
    this.onTick = onTick;
    thread =
        Thread.ofPlatform()
            .daemon()
            .name(queue.kind().topic() + " keeper")
            .unstarted(this::keepAll);
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

  private void keepAll() {
    renewedAt = System.nanoTime();
    try {
      while (true) {
        Thread.sleep(TICK);
        keep();
      }
    } catch (InterruptedException ends) {
      // The process stops.
    }
  }

  // Without this thread nothing here would keep its lease: it survives whatever happens.
  private void keep() {
    try {
      if (System.nanoTime() - renewedAt >= lease.toNanos() / 3) renew();
      for (var stay : running.values()) {
        stay.flow().check();
        onTick.accept(stay);
      }
    } catch (RuntimeException | Error unexpected) {
      log.error("the keeper of {} stumbled", queue.kind().topic(), unexpected);
    }
  }

  private void renew() {
    var begun = System.nanoTime();
    if (isRenewed()) renewedAt = begun;
    else if (System.nanoTime() - renewedAt > lease.toNanos()) loseAll();
  }

  private boolean isRenewed() {
    var flows = running.values().stream().map(RunContext::flow).toList();
    try {
      var held = flows.stream().map(Execution::held).toList();
      var answers = queue.renew(held, lease);
      for (int i = 0; i < answers.size(); i++) {
        switch (answers.get(i)) {
          case FENCED -> flows.get(i).stop(StopReason.LOST);
          case CANCELED -> flows.get(i).stop(StopReason.CANCELED);
          case SAVED, UNSENT, OPEN -> {}
        }
      }
      return true;
    } catch (RedisException away) {
      log.debug("leases of {} can't be renewed: {}", queue.kind().topic(), away.getMessage());
      return false;
    }
  }

  // Others may hold what we run, but for what was taken since.
  private void loseAll() {
    for (var stay : running.values()) {
      if (!stay.isLeased()) stay.flow().stop(StopReason.LOST);
    }
  }
}
