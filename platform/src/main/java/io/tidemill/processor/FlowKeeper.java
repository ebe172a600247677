package io.tidemill.processor;

import io.tidemill.store.redis.FlowQueue;
import io.tidemill.store.redis.StoreException;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Looks after what runs: keeps leases alive, sees to time limits, and tells who has lost what.
final class FlowKeeper {
  private static final Logger log = LoggerFactory.getLogger(FlowKeeper.class);
  private static final Duration TICK = Duration.ofMillis(100);

  private final FlowQueue queue;
  private final Map<String, Stay> running;
  private final Duration lease;
  private final Consumer<Stay> onTick;
  private final Thread thread;
  private volatile long renewedAt = System.nanoTime();

  /// @param onTick told of each that runs, again and again
  FlowKeeper(FlowQueue queue, Map<String, Stay> running, Duration lease, Consumer<Stay> onTick) {
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
    var flows = running.values().stream().map(Stay::flow).toList();
    try {
      var held = flows.stream().map(RunningFlow::held).toList();
      var answers = queue.renew(held, lease);
      for (int i = 0; i < answers.size(); i++) {
        switch (answers.get(i)) {
          case FENCED -> flows.get(i).stop(Stop.LOST);
          case CANCELED -> flows.get(i).stop(Stop.CANCELED);
          case SAVED, UNSENT, OPEN -> {}
        }
      }
      return true;
    } catch (StoreException away) {
      log.debug("leases of {} can't be renewed: {}", queue.kind().topic(), away.getMessage());
      return false;
    }
  }

  // Others may hold what we run, but for what was taken since.
  private void loseAll() {
    for (var stay : running.values()) {
      if (!stay.isLeased()) stay.flow().stop(Stop.LOST);
    }
  }
}
