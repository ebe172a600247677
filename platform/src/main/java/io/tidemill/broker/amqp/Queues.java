package io.tidemill.broker.amqp;

import com.rabbitmq.client.AlreadyClosedException;
import java.io.IOException;
import java.util.Collection;
import java.util.concurrent.TimeoutException;

/// Makes queues that are missing, and leaves alone what is there (C4.1).
final class Queues {
  private Queues() {}

  /// Durable and without arguments, as strangers declare them too.
  static void require(Link link, Collection<String> names) {
    for (var name : names) {
      if (!exists(link, name)) declare(link, name);
    }
  }

  // A question about a queue that is not there closes its channel: each has its own.
  private static boolean exists(Link link, String name) {
    try (var channel = link.channel()) {
      channel.queueDeclarePassive(name);
      return true;
    } catch (IOException | TimeoutException | AlreadyClosedException missing) {
      return false;
    }
  }

  private static void declare(Link link, String name) {
    try (var channel = link.channel()) {
      channel.queueDeclare(name, true, false, false, null);
    } catch (IOException | TimeoutException | AlreadyClosedException refused) {
      throw new AmqpException(
          "amqp: queue " + name + ": " + AmqpException.describe(refused), refused);
    }
  }
}
