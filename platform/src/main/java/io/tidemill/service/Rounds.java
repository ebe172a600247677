package io.tidemill.service;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Does something again and again, with a pause between, until it is stopped. A round that fails is
/// not the last.
public final class Rounds implements Service {
  private static final Logger log = LoggerFactory.getLogger(Rounds.class);

  private final String name;
  private final Duration pause;
  private final Runnable round;
  private final Thread thread;

  /// @param round interrupted when it is to stop
  public Rounds(String name, Duration pause, Runnable round) {
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

  @Override
  public void stop() {
    thread.interrupt();
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

  private void once() {
    try {
      round.run();
    } catch (RuntimeException failed) {
      if (!thread.isInterrupted()) log.warn("{}: a round failed", name, failed);
    }
  }
}
