package io.tidemill.service;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs a task with a fixed pause between rounds until it is stopped; a failed round is logged.
public final class PeriodicTask implements Service {
  private static final Logger log = LoggerFactory.getLogger(PeriodicTask.class);
  private static final Duration STOP_WAIT = Duration.ofSeconds(5);

  /// One round; it may block.
  @FunctionalInterface
  public interface Round {
    void run() throws InterruptedException;
  }

  private final String name;
  private final Duration pause;
  private final Round round;
  private final Thread thread;

  /// @param round interrupted by [#stop]
  public PeriodicTask(String name, Duration pause, Round round) {
    this.name = name;
    this.pause = pause;
    this.round = round;
    thread = Thread.ofVirtual().name(name).unstarted(this::run);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void start() {
    thread.start();
  }

  /// Waits a limited time for the current round.
  @Override
  public void stop() {
    thread.interrupt();
    try {
      if (thread.isAlive() && !thread.join(STOP_WAIT))
        log.warn("{}: still at its last round", name);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      while (!thread.isInterrupted()) {
        once();
        Thread.sleep(pause);
      }
    } catch (InterruptedException ends) {
      // stop() interrupts it.
    }
  }

  private void once() throws InterruptedException {
    try {
      round.run();
    } catch (RuntimeException | Error failed) {
      if (!thread.isInterrupted()) log.warn("{}: a round failed", name, failed);
    }
  }
}
