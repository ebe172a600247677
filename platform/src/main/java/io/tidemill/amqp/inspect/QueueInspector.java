package io.tidemill.amqp.inspect;

import com.rabbitmq.client.AlreadyClosedException;
import io.tidemill.amqp.AmqpConfig;
import io.tidemill.amqp.AmqpConnection;
import io.tidemill.amqp.AmqpDelivery;
import io.tidemill.amqp.AmqpException;
import io.tidemill.amqp.ManagementClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Reads the depth of queues and peeks at the messages at their head.
///
/// Every peeked message goes back to its place, marked as redelivered; consumers do not get it
/// meanwhile. Within one process one peek runs at a time.
public final class QueueInspector implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final long MOST_BYTES = 16L * 1024 * 1024;

  /// The size of a queue.
  ///
  /// @param messages RabbitMQ leaves out those that were delivered and not settled, Broker-J does
  ///   not
  public record Depth(long messages, long consumers) {}

  /// Messages at the head of a queue.
  ///
  /// @param total messages in the queue
  public record Peek(List<AmqpDelivery> messages, long total) {
    public Peek {
      messages = List.copyOf(messages);
    }
  }

  private final AmqpConfig config;
  private final QueueBrowser browser;
  private volatile @Nullable AmqpConnection connection;

  public QueueInspector(AmqpConfig config) {
    this.config = config;
    browser = new QueueBrowser(config, "tidemill-peek");
  }

  /// Empty when there is no such queue.
  ///
  /// @throws AmqpException when the broker does not answer
  public synchronized Optional<Depth> depth(String queue) {
    try {
      // A passive declare of a missing queue closes its channel: each question has its own.
      var channel = connected().channel();
      var answer = channel.queueDeclarePassive(config.queueNames().name(queue));
      channel.close();
      return Optional.of(new Depth(answer.getMessageCount(), answer.getConsumerCount()));
    } catch (IOException | TimeoutException | AlreadyClosedException refused) {
      if (AmqpException.isMissing(refused)) return Optional.empty();
      disconnect(); // a late answer must not be taken for the answer to the next question
      throw new AmqpException("amqp: " + AmqpException.describe(refused), refused);
    } catch (AmqpException unreachable) {
      disconnect();
      throw unreachable;
    }
  }

  private AmqpConnection connected() {
    var open = connection;
    if (open == null || !open.isOpen()) {
      disconnect();
      open = AmqpConnection.open(config, "tidemill-depths");
      connection = open;
    }
    return open;
  }

  // Not synchronized: it ends a question that hangs.
  private void disconnect() {
    var open = connection;
    connection = null;
    if (open != null) open.close();
  }

  /// The oldest messages; fewer when they are very large, or consumers hold them.
  ///
  /// @throws AmqpException when the broker does not answer
  public Peek oldest(String queue, int limit) {
    return browser.browse(
        queue,
        LIMIT,
        limit,
        (browse, deadline) -> {
          var messages = new ArrayList<AmqpDelivery>();
          while (browse.bytes() < MOST_BYTES && !QueueBrowser.isOver(deadline)) {
            var next = browse.next();
            if (next == null) break;
            messages.add(next.deliver());
          }
          return new Peek(messages, browse.total());
        });
  }

  /// Why a queue should not be peeked into; empty when there is no known reason.
  ///
  /// Some queues count the deliveries of a message and drop it in the end. AMQP does not tell
  /// which; RabbitMQ's management API does, where `amqp.management-url` is set.
  public Optional<String> objection(String queue) {
    return new ManagementClient(config).countsDeliveries(queue)
        ? Optional.of(
            "%s is a quorum queue with a delivery limit: a look would count as a failed delivery"
                .formatted(queue))
        : Optional.empty();
  }

  @Override
  public void close() {
    disconnect();
    browser.close();
  }
}
