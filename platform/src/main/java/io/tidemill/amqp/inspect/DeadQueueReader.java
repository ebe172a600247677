package io.tidemill.amqp.inspect;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.tidemill.amqp.AmqpConfig;
import io.tidemill.amqp.AmqpException;
import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.amqp.HeldMessage;
import io.tidemill.amqp.consumer.DeadMessage;
import io.tidemill.amqp.consumer.DeadMessagePublisher;
import io.tidemill.config.Renaming;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Browses a queue of dead letters and moves messages back to the queue they came from, within
/// limits of time and memory.
///
/// A queue can be read from its head only: messages behind the oldest [#MOST_SEEN] are not visible
/// before those are gone. A browse holds its messages, so within one process browses take turns.
///
/// Every method throws [AmqpException] when the broker does not answer in time.
public final class DeadQueueReader implements AutoCloseable {
  /// The oldest messages that are visible.
  public static final int MOST_SEEN = 10_000;

  private static final Logger log = LoggerFactory.getLogger(DeadQueueReader.class);
  private static final long MOST_BYTES = 256L * 1024 * 1024;
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final Duration COUNT_LIMIT = Duration.ofSeconds(2);

  /// Some dead letters, the newest first, without their bodies and headers.
  ///
  /// @param total messages in the queue, including those that are not visible
  /// @param older visible messages that are older than these
  public record Page(List<DeadMessage> letters, long total, int older) {
    public Page {
      letters = List.copyOf(letters);
    }
  }

  /// The result of a redrive.
  public sealed interface Redrive {
    /// It was published to its queue.
    ///
    /// @param isGone whether it was removed from the dead letters
    record Moved(String queue, boolean isGone) implements Redrive {}

    /// It stays: it names no origin, or one whose dead letters do not belong here.
    record NoOrigin(String why) implements Redrive {}

    /// It stays: its origin no longer exists.
    record NoQueue(String queue) implements Redrive {}
  }

  private final QueueBrowser browser;
  private final Renaming names;
  private final String queue;
  private final Set<String> origins;
  private final AmqpPublisher publisher;

  /// @param origins queues whose dead letters arrive here, the only ones that a redrive publishes
  ///   to
  public DeadQueueReader(
      AmqpConfig config, String queue, Set<String> origins, AmqpPublisher publisher) {
    browser = new QueueBrowser(config, "tidemill-dead");
    names = config.queueNames();
    this.queue = queue;
    this.origins = Set.copyOf(origins);
    this.publisher = publisher;
  }

  /// @param before the `older` of the previous page, or [#MOST_SEEN]
  public Page newest(int before, int limit) {
    return browse(
        LIMIT,
        (browse, deadline) -> {
          var page = new ArrayDeque<DeadMessage>();
          while (browse.taken() < before && !QueueBrowser.isOver(deadline)) {
            var message = next(browse);
            if (message == null) break;
            if (page.size() == limit) page.removeLast();
            page.addFirst(DeadMessage.listed(message, names));
          }
          return new Page(List.copyOf(page), browse.total(), browse.taken() - page.size());
        });
  }

  /// Passes every visible dead letter to the reader, the oldest first.
  ///
  /// @return whether these were all
  public boolean forEach(Consumer<DeadMessage> reader) {
    return browse(
        LIMIT,
        (browse, deadline) -> {
          while (!QueueBrowser.isOver(deadline)) {
            var message = next(browse);
            if (message == null) break;
            reader.accept(DeadMessage.of(message, names));
          }
          return browse.taken() >= browse.total();
        });
  }

  /// The number of dead letters; waits for a shorter time than the other methods.
  public long count() {
    return browse(COUNT_LIMIT, (browse, _) -> browse.total());
  }

  /// One dead letter; empty when it is not visible.
  public Optional<DeadMessage> find(String id) {
    return finding(id, (_, message) -> DeadMessage.of(message, names));
  }

  /// Moves a dead letter back to its origin; empty when it is not visible.
  ///
  /// It is removed here after the broker confirmed it there: a crash in between leaves it in both.
  ///
  /// @param published called in between; when it throws, the dead letter stays
  public Optional<Redrive> redrive(String id, Runnable published) {
    return finding(
        id,
        (browse, message) -> {
          var original = DeadMessagePublisher.original(message.properties);
          var end = publish(message, original, message.body);
          if (!(end instanceof Redrive.Moved(var origin, _))) return end;
          published.run();
          return new Redrive.Moved(origin, isSettled(browse, origin));
        });
  }

  /// Removes a dead letter.
  ///
  /// @return whether it was visible
  public boolean discard(String id) {
    return finding(
            id,
            (browse, _) -> {
              browse.settle();
              return id;
            })
        .isPresent();
  }

  /// Publishes a dead letter with another body and other headers to its origin; it stays here too.
  public Optional<Redrive> redriveAs(String id, Map<String, Object> headers, byte[] body) {
    return finding(
        id,
        (_, message) -> {
          var original = DeadMessagePublisher.original(message.properties);
          var changed = original.builder().headers(headers.isEmpty() ? null : headers).build();
          return publish(message, changed, body);
        });
  }

  private Redrive publish(HeldMessage message, BasicProperties properties, byte[] body) {
    var origin = DeadMessage.origin(message.properties, names);
    var fault = fault(origin);
    if (fault.isPresent()) return new Redrive.NoOrigin(fault.get());
    try {
      publisher.publish("", origin, properties, body);
      return new Redrive.Moved(origin, false);
    } catch (AmqpException refused) {
      if (refused.isUnroutable()) return new Redrive.NoQueue(origin);
      throw refused;
    }
  }

  private boolean isSettled(QueueBrowse browse, String origin) {
    try {
      browse.settle();
      return true;
    } catch (AmqpException gone) {
      log.warn(
          "a dead letter of {} was redriven to {} and could not be removed: {}",
          queue,
          origin,
          gone.getMessage());
      return false;
    }
  }

  /// Why a dead letter with this origin can't go back; empty when it can.
  public Optional<String> fault(String origin) {
    if (origins.contains(origin)) return Optional.empty();
    return Optional.of(
        origin.isEmpty()
            ? "it does not say which queue it came from"
            : "it says that it came from %s, whose letters do not end in %s"
                .formatted(origin, queue));
  }

  private <T> Optional<T> finding(String id, BiFunction<QueueBrowse, HeldMessage, T> use) {
    return browse(
        LIMIT,
        (browse, deadline) -> {
          for (var message = next(browse); message != null; message = next(browse)) {
            if (DeadMessage.id(message).equals(id)) return Optional.of(use.apply(browse, message));
            if (QueueBrowser.isOver(deadline)) throw QueueBrowser.late(queue);
          }
          return Optional.empty();
        });
  }

  private static @Nullable HeldMessage next(QueueBrowse browse) {
    return browse.taken() < MOST_SEEN && browse.bytes() < MOST_BYTES ? browse.next() : null;
  }

  private <T> T browse(Duration limit, QueueBrowser.Question<T> question) {
    return browser.browse(queue, limit, QueueBrowse.ALL, question);
  }

  @Override
  public void close() {
    browser.close();
  }
}
