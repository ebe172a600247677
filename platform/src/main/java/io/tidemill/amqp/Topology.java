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

/// Declares exchanges, queues and bindings that are missing; existing ones with other arguments are
/// kept, with a warning (C4.1, C5.1). All are durable and without arguments, as other programs
/// declare them too.
public final class Topology implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Topology.class);

  /// A topic exchange with one bound queue.
  public record Bound(String exchange, String queue, String routingKey) {
    /// The same with the names that the broker has for it.
    Bound on(AmqpConfig config) {
      var exchanges = config.exchangeNames();
      return new Bound(exchanges.name(exchange), config.queueNames().name(queue), routingKey);
    }
  }

  private static final Duration PING_LIMIT = Duration.ofSeconds(1);

  private final AmqpConfig config;
  private final ReentrantLock pinging = new ReentrantLock();
  private volatile AmqpConnection link;
  private @Nullable Channel pingChannel;

  /// @throws AmqpException when the broker does not let us in
  public Topology(AmqpConfig config) {
    this.config = config;
    link = open();
  }

  private AmqpConnection open() {
    return AmqpConnection.open(config, "tidemill-topology");
  }

  public void provision(List<String> queues, List<Bound> bound) {
    for (var queue : config.queueNames().names(queues)) {
      attempt("queue " + queue, channel -> channel.queueDeclare(queue, true, false, false, null));
    }
    for (var each : bound) {
      var binding = each.on(config);
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

  /// Declares queues that are missing, on a connection that is open already.
  ///
  /// @param names as the broker has them
  public static void requireQueues(AmqpConnection link, List<String> names) {
    for (var name : names) {
      if (!exists(link, name)) declare(link, name);
    }
  }

  // A passive declaration of a missing queue closes its channel: each has its own.
  private static boolean exists(AmqpConnection link, String name) {
    try (var channel = link.channel()) {
      channel.queueDeclarePassive(name);
      return true;
    } catch (IOException | TimeoutException | AlreadyClosedException missing) {
      return false;
    }
  }

  private static void declare(AmqpConnection link, String name) {
    try (var channel = link.channel()) {
      channel.queueDeclare(name, true, false, false, null);
    } catch (IOException | TimeoutException | AlreadyClosedException refused) {
      throw new AmqpException(
          "amqp: queue " + name + ": " + AmqpException.describe(refused), refused);
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

  /// @throws AmqpException when the broker does not answer
  public void ping() throws InterruptedException {
    // One caller at a time waits for a silent broker; the others fail after a second.
    if (!pinging.tryLock(PING_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new AmqpException("amqp: no answer to the question before", null);
    }
    try {
      if (!link.isOpen()) link = open(); // the broker was away
      var channel = pingChannel;
      if (channel == null || !channel.isOpen()) pingChannel = channel = link.channel();
      channel.basicQos(1); // changes nothing, and the broker answers
    } catch (IOException | AlreadyClosedException silent) {
      link.close();
      throw new AmqpException("amqp: " + AmqpException.describe(silent), silent);
    } catch (AmqpException silent) {
      link.close();
      throw silent;
    } finally {
      pinging.unlock();
    }
  }

  @Override
  public void close() {
    link.close();
  }
}
