package io.tidemill.service;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Does something again and again, with a pause between, until it is stopped. A round that fails is
/// not the last.
public final class PeriodicTask implements Service {
  private static final Logger log = LoggerFactory.getLogger(PeriodicTask.class);
  private static final Duration STOP_WAIT = Duration.ofSeconds(5);

  /// What is done; it may wait.
  @FunctionalInterface
  public interface Round {
    void run() throws InterruptedException;
  }

  private final String name;
  private final Duration pause;
  private final Round round;
  private final Thread thread;

  /// @param round interrupted when it is to stop
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

  /// Waits for the round under way, but not for ever.
  @Override
  public void stop() {
    thread.interrupt();
    try {
      if (thread.isAlive() && !thread.join(STOP_WAIT))
        log.warn("{}: still at its last round", name);
    } catch (InterruptedException hurried) {
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
      // It was told to.
    }
  }

  private void once() throws InterruptedException {
    try {
      round.run();
    } catch (RuntimeException failed) {
      if (!thread.isInterrupted()) log.warn("{}: a round failed", name, failed);
    }
  }
}
