package io.tidemill.broker.amqp;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.net.URI;
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

  private final Connection connection;

  /// @throws AmqpException when the broker does not let us in
  public Topology(AmqpConfig config) {
    try {
      connection = factory(config).newConnection("tidemill-topology");
    } catch (IOException | TimeoutException unreachable) {
      throw new AmqpException("amqp: " + unreachable.getMessage(), unreachable);
    }
  }

  private static ConnectionFactory factory(AmqpConfig config) {
    try {
      var factory = new ConnectionFactory();
      var uri = URI.create(config.url());
      factory.setUsername(config.user());
      factory.setPassword(config.password());
      factory.setUri(uri);
      factory.setConnectionTimeout(5_000);
      factory.setAutomaticRecoveryEnabled(true);
      factory.setNetworkRecoveryInterval(1_000);
      return factory;
    } catch (Exception malformed) {
      throw new AmqpException("amqp.url can't be used: expected amqp://host:port", malformed);
    }
  }

  /// Makes what is missing.
  public void provision(List<Queue> queues, List<Bound> bound) {
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
    Object declare(com.rabbitmq.client.Channel channel) throws IOException;
  }

  // A refused declaration closes its channel: each has its own.
  private void attempt(String what, Declaration declaration) {
    try (var channel = connection.createChannel()) {
      declaration.declare(channel);
    } catch (IOException | TimeoutException | AlreadyClosedException refused) {
      var cause = refused.getCause() == null ? refused : refused.getCause();
      log.warn("{} is left as it is: {}", what, cause.getMessage());
    }
  }

  /// Whether the broker is there.
  public boolean isOpen() {
    return connection.isOpen();
  }

  @Override
  public void close() {
    try {
      connection.close(1_000);
    } catch (IOException | AlreadyClosedException gone) {
      log.debug("amqp was gone already: {}", gone.getMessage());
    }
  }
}
