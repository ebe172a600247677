package io.tidemill.amqp;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
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

  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final AmqpConfig config;
  private final ReentrantLock asking = new ReentrantLock();
  private volatile AmqpConnection link;
  private @Nullable Channel questions;

  /// @throws AmqpException when the broker does not let us in
  public Topology(AmqpConfig config) {
    this.config = config;
    link = open();
  }

  private AmqpConnection open() {
    return AmqpConnection.open(config, "tidemill-topology");
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

  /// Asks the broker for a sign of life.
  ///
  /// @throws AmqpException when there is none
  public void ping() throws InterruptedException {
    // Who hangs in a question to a broker that is silent answers for those who come meanwhile.
    if (!asking.tryLock(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new AmqpException("amqp: no answer to the question before", null);
    }
    try {
      if (!link.isOpen()) link = open(); // it was away for a while
      var channel = questions;
      if (channel == null || !channel.isOpen()) questions = channel = link.channel();
      channel.basicQos(1); // which changes nothing, and has an answer
    } catch (IOException | AlreadyClosedException silent) {
      link.close();
      throw new AmqpException("amqp: " + AmqpException.describe(silent), silent);
    } catch (AmqpException silent) {
      link.close();
      throw silent;
    } finally {
      asking.unlock();
    }
  }

  @Override
  public void close() {
    link.close();
  }
}
