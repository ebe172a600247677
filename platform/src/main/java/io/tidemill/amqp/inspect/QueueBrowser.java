package io.tidemill.amqp.inspect;

import io.tidemill.amqp.AmqpConfig;
import io.tidemill.amqp.AmqpConnection;
import io.tidemill.amqp.AmqpException;
import io.tidemill.amqp.ByteGate;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Looks into queues, one at a time, each bounded in time; the first one connects, and so does the
/// first after the connection broke.
final class QueueBrowser implements AutoCloseable {
  private final AmqpConfig config;
  private final String name;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable AmqpConnection link;
  private ByteGate gate = ByteGate.alwaysOpen();

  /// @param name what the broker knows the connection by
  QueueBrowser(AmqpConfig config, String name) {
    this.config = config;
    this.name = name;
  }

  /// Begins a look.
  @FunctionalInterface
  interface Opening {
    QueueBrowse open(AmqpConnection link, ByteGate gate);
  }

  @FunctionalInterface
  interface Question<T> {
    /// @param deadline as of [System#nanoTime]
    T ask(QueueBrowse look, long deadline);
  }

  /// @throws AmqpException when the broker does not answer, or others look for too long
  <T> T look(String queue, Duration limit, Opening opening, Question<T> question) {
    var deadline = System.nanoTime() + limit.toNanos();
    try {
      if (!lock.tryLock(limit.toNanos(), TimeUnit.NANOSECONDS)) throw late(queue);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new AmqpException("amqp: " + queue + ": interrupted", stopped);
    }
    try (var look = opening.open(connected(), gate)) {
      return question.ask(look, deadline);
    } finally {
      lock.unlock();
    }
  }

  static AmqpException late(String queue) {
    return new AmqpException("amqp: " + queue + ": it took too long", null);
  }

  static boolean isOver(long deadline) {
    return System.nanoTime() - deadline > 0;
  }

  private AmqpConnection connected() {
    var open = link;
    if (open == null || !open.isOpen()) {
      if (open != null) open.close();
      gate = new ByteGate(QueueBrowse.ROOM);
      open = AmqpConnection.open(config, name, gate);
      link = open;
    }
    return open;
  }

  @Override
  public void close() {
    lock.lock();
    try {
      if (link != null) link.close();
      link = null;
    } finally {
      lock.unlock();
    }
  }
}
