package io.tidemill.amqp;

import com.rabbitmq.client.AlreadyClosedException;
import java.io.IOException;
import java.util.Collection;
import java.util.concurrent.TimeoutException;

/// Makes queues that are missing, and leaves alone what is there (C4.1).
public final class QueueDeclaration {
  private QueueDeclaration() {}

  /// Durable and without arguments, as strangers declare them too.
  public static void require(AmqpConnection link, Collection<String> names) {
    for (var name : names) {
      if (!exists(link, name)) declare(link, name);
    }
  }

  // A question about a queue that is not there closes its channel: each has its own.
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
}
