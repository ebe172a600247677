package io.tidemill.amqp.inspect;

import io.tidemill.amqp.AmqpConfig;
import io.tidemill.amqp.AmqpConnection;
import io.tidemill.amqp.AmqpException;
import io.tidemill.amqp.ByteGate;
import io.tidemill.config.Renaming;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Browses queues one at a time, each within a time limit. It connects on first use, and again
/// after the connection broke.
final class QueueBrowser implements AutoCloseable {
  private final AmqpConfig config;
  private final Renaming names;
  private final String name;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable AmqpConnection connection;
  private ByteGate gate = ByteGate.alwaysOpen();

  /// @param name of the connection, at the broker
  QueueBrowser(AmqpConfig config, String name) {
    this.config = config;
    names = config.queueNames();
    this.name = name;
  }

  @FunctionalInterface
  interface Question<T> {
    /// @param deadline as of [System#nanoTime]
    T ask(QueueBrowse browse, long deadline);
  }

  /// @param most messages taken at most, or [QueueBrowse#ALL]
  /// @throws AmqpException when the broker does not answer, or another browse takes too long
  <T> T browse(String queue, Duration limit, int most, Question<T> question) {
    var deadline = System.nanoTime() + limit.toNanos();
    try {
      if (!lock.tryLock(limit.toNanos(), TimeUnit.NANOSECONDS)) throw late(queue);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new AmqpException("amqp: " + queue + ": interrupted", stopped);
    }
    try (var browse = new QueueBrowse(connected(), gate, names.name(queue), most)) {
      return question.ask(browse, deadline);
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
    var open = connection;
    if (open == null || !open.isOpen()) {
      if (open != null) open.close();
      gate = new ByteGate(QueueBrowse.ROOM);
      open = AmqpConnection.open(config, name, gate);
      connection = open;
    }
    return open;
  }

  @Override
  public void close() {
    lock.lock();
    try {
      if (connection != null) connection.close();
      connection = null;
    } finally {
      lock.unlock();
    }
  }
}
