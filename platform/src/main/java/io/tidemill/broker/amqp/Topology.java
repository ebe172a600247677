package io.tidemill.broker.amqp;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes exchanges, queues and bindings that are missing; what is there with other arguments is
/// kept, with a warning (C4.1, C5.1).
public final class Topology implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Topology.class);

  /// A durable queue without arguments; strangers declare it too.
  public record Queue(String name) {}

  /// A durable topic exchange with one bound queue.
  public record Bound(String exchange, String queue, String routingKey) {}

  private final AmqpConfig config;
  private Link link;

  /// @throws AmqpException when the broker does not let us in
  public Topology(AmqpConfig config) {
    this.config = config;
    link = open();
  }

  private Link open() {
    return Link.open(config, "tidemill-topology");
  }

  /// Makes what is missing.
  public synchronized void provision(List<Queue> queues, List<Bound> bound) {
    for (var queue : queues) {
      attempt(
          "queue " + queue.name(),
          channel -> channel.queueDeclare(queue.name(), true, false, false, null));
    }
    for (var binding : bound) {
      attempt(
          "exchange " + binding.exchange(),
          channel -> channel.exchangeDeclare(binding.exchange(), BuiltinExchangeType.TOPIC, true));
      attempt(
          "queue " + binding.queue(),
          channel -> channel.queueDeclare(binding.queue(), true, false, false, null));
      attempt(
          "binding of " + binding.queue(),
          channel -> channel.queueBind(binding.queue(), binding.exchange(), binding.routingKey()));
    }
  }

  private interface Declaration {
    Object declare(Channel channel) throws IOException;
  }

  // A refused declaration closes its channel: each has its own.
  private void attempt(String what, Declaration declaration) {
    try (var channel = link.channel()) {
      declaration.declare(channel);
    } catch (IOException | TimeoutException | AlreadyClosedException refused) {
      log.warn("{} is left as it is: {}", what, AmqpException.describe(refused));
    }
  }

  /// Whether the broker is there.
  public synchronized boolean isOpen() {
    if (link.isOpen()) return true;
    try {
      link = open(); // it was away for a while
      return true;
    } catch (AmqpException unreachable) {
      return false;
    }
  }

  @Override
  public synchronized void close() {
    link.close();
  }
}
