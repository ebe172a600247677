package io.tidemill.broker.amqp;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Looks at the messages at the head of a queue and gives every one of them back: it is in its
/// place again, marked as redelivered.
///
/// Meanwhile its consumers do not get those. Within one process one looks at a time.
public final class QueuePeek implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final long MOST_BYTES = 16L * 1024 * 1024;

  private final AmqpConfig config;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Link link;
  private ByteGate gate = ByteGate.alwaysOpen();

  public QueuePeek(AmqpConfig config) {
    this.config = config;
  }

  /// What was there.
  ///
  /// @param total messages in the queue
  public record Seen(List<Delivery> messages, long total) {
    public Seen {
      messages = List.copyOf(messages);
    }
  }

  /// The oldest messages; fewer when they are very large, or others have them.
  ///
  /// @throws AmqpException when the broker does not answer
  public Seen oldest(String queue, int limit) {
    var deadline = System.nanoTime() + LIMIT.toNanos();
    try {
      if (!lock.tryLock(LIMIT.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new AmqpException("amqp: " + queue + ": others look at it", null);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new AmqpException("amqp: " + queue + ": interrupted", stopped);
    }
    try (var look = Look.brief(connected(), gate, queue, limit)) {
      var messages = new ArrayList<Delivery>();
      while (look.bytes() < MOST_BYTES && System.nanoTime() - deadline < 0) {
        var next = look.next();
        if (next == null) break;
        messages.add(next.deliver());
      }
      return new Seen(messages, look.total());
    } finally {
      lock.unlock();
    }
  }

  /// Why nobody should look at a queue, in words; empty when there is no reason that we know of.
  ///
  /// Some queues count how often a message was taken, and drop it in the end. AMQP does not tell
  /// which: RabbitMQ's management API does, where `amqp.management-url` is set.
  public Optional<String> objection(String queue) {
    return new Management(config).countsDeliveries(queue)
        ? Optional.of(
            "%s is a quorum queue with a delivery limit: a look would count as a failed delivery"
                .formatted(queue))
        : Optional.empty();
  }

  private Link connected() {
    var open = link;
    if (open == null || !open.isOpen()) {
      if (open != null) open.close();
      gate = new ByteGate(Look.ROOM);
      open = Link.open(config, "tidemill-peek", gate);
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
