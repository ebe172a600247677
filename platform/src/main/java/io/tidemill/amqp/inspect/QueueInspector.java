package io.tidemill.amqp.inspect;

import io.tidemill.amqp.AmqpConfig;
import io.tidemill.amqp.AmqpDelivery;
import io.tidemill.amqp.ManagementClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Looks at the messages at the head of a queue and gives every one of them back: it is in its
/// place again, marked as redelivered.
///
/// Meanwhile its consumers do not get those. Within one process one looks at a time.
public final class QueueInspector implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final long MOST_BYTES = 16L * 1024 * 1024;

  private final AmqpConfig config;
  private final QueueBrowser looks;

  public QueueInspector(AmqpConfig config) {
    this.config = config;
    looks = new QueueBrowser(config, "tidemill-peek");
  }

  /// What was there.
  ///
  /// @param total messages in the queue
  public record Seen(List<AmqpDelivery> messages, long total) {
    public Seen {
      messages = List.copyOf(messages);
    }
  }

  /// The oldest messages; fewer when they are very large, or others have them.
  ///
  /// @throws AmqpException when the broker does not answer
  public Seen oldest(String queue, int limit) {
    return looks.look(
        queue,
        LIMIT,
        (link, gate) -> QueueBrowse.brief(link, gate, queue, limit),
        (look, deadline) -> {
          var messages = new ArrayList<AmqpDelivery>();
          while (look.bytes() < MOST_BYTES && !QueueBrowser.isOver(deadline)) {
            var next = look.next();
            if (next == null) break;
            messages.add(next.deliver());
          }
          return new Seen(messages, look.total());
        });
  }

  /// Why nobody should look at a queue, in words; empty when there is no reason that we know of.
  ///
  /// Some queues count how often a message was taken, and drop it in the end. AMQP does not tell
  /// which: RabbitMQ's management API does, where `amqp.management-url` is set.
  public Optional<String> objection(String queue) {
    return new ManagementClient(config).countsDeliveries(queue)
        ? Optional.of(
            "%s is a quorum queue with a delivery limit: a look would count as a failed delivery"
                .formatted(queue))
        : Optional.empty();
  }

  @Override
  public void close() {
    looks.close();
  }
}
