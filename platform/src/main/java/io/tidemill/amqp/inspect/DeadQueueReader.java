package io.tidemill.amqp.inspect;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.tidemill.amqp.AmqpConfig;
import io.tidemill.amqp.AmqpException;
import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.amqp.HeldMessage;
import io.tidemill.amqp.consumer.DeadMessage;
import io.tidemill.amqp.consumer.DeadMessagePublisher;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads a queue of dead letters without changing it, and moves letters back to where they came
/// from: bounded in time, and in memory whatever lies there.
///
/// A queue can be read from its head only, so what is behind the oldest [#MOST_SEEN] letters is not
/// seen before those are gone. While somebody reads it others see less of it: within one process
/// they wait for each other.
///
/// Every method throws [AmqpException] when the broker does not answer in time.
public final class DeadQueueReader implements AutoCloseable {
  /// As many letters can be seen at most, the oldest ones.
  public static final int MOST_SEEN = 10_000;

  private static final Logger log = LoggerFactory.getLogger(DeadQueueReader.class);
  private static final long MOST_BYTES = 256L * 1024 * 1024;
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final Duration COUNT_LIMIT = Duration.ofSeconds(2);

  /// Some of the letters, the newest first, without their bodies and headers.
  ///
  /// @param total how many there are, those among them that can't be seen
  /// @param older how many of those that can be seen are older than these
  public record Page(List<DeadMessage> letters, long total, int older) {
    public Page {
      letters = List.copyOf(letters);
    }
  }

  /// What became of a letter that was to go back.
  public sealed interface Redrive {
    /// It is in its queue again.
    ///
    /// @param isGone whether it is no longer here
    record Moved(String queue, boolean isGone) implements Redrive {}

    /// It stays: it does not say where it came from, or names a queue that is not ours.
    record NoOrigin(String why) implements Redrive {}

    /// It stays: the queue that it came from is gone.
    record NoQueue(String queue) implements Redrive {}
  }

  private final QueueBrowser looks;
  private final String queue;
  private final Set<String> origins;
  private final AmqpPublisher publisher;

  /// @param origins queues whose letters end here: none goes back to any other, whatever it says
  /// @param publisher takes letters back to their queues
  public DeadQueueReader(
      AmqpConfig config, String queue, Set<String> origins, AmqpPublisher publisher) {
    looks = new QueueBrowser(config, "tidemill-dead");
    this.queue = queue;
    this.origins = Set.copyOf(origins);
    this.publisher = publisher;
  }

  /// @param before leaves out those behind the oldest so many: the `older` of the page before, or
  ///   [#MOST_SEEN]
  public Page newest(int before, int limit) {
    return looking(
        LIMIT,
        (look, deadline) -> {
          var page = new ArrayDeque<DeadMessage>();
          while (look.taken() < before && !QueueBrowser.isOver(deadline)) {
            var letter = next(look);
            if (letter == null) break;
            if (page.size() == limit) page.removeLast();
            page.addFirst(DeadMessage.listed(letter));
          }
          return new Page(List.copyOf(page), look.total(), look.taken() - page.size());
        });
  }

  /// Shows every letter that can be seen, whole, the oldest first.
  ///
  /// @return whether these were all
  public boolean forEach(Consumer<DeadMessage> reader) {
    return looking(
        LIMIT,
        (look, deadline) -> {
          while (!QueueBrowser.isOver(deadline)) {
            var letter = next(look);
            if (letter == null) break;
            reader.accept(DeadMessage.of(letter));
          }
          return look.taken() >= look.total();
        });
  }

  /// How many letters there are; does not wait as long for other readers as the others do.
  public long count() {
    return looking(COUNT_LIMIT, (look, _) -> look.total());
  }

  /// One letter, whole; empty when it is not among those that can be seen.
  public Optional<DeadMessage> find(String id) {
    return finding(id, (_, letter) -> DeadMessage.of(letter));
  }

  /// Moves a letter back to the queue that it came from; empty when it is not among those that can
  /// be seen.
  ///
  /// It leaves here when the broker has it there: who dies in between leaves it in both.
  ///
  /// @param published called in between; when it throws, the letter stays
  public Optional<Redrive> redrive(String id, Runnable published) {
    return finding(
        id,
        (look, letter) -> {
          var original = DeadMessagePublisher.original(letter.properties);
          var end = publish(letter, original, letter.body);
          if (!(end instanceof Redrive.Moved(var origin, _))) return end;
          published.run();
          return new Redrive.Moved(origin, hasSettled(look, origin));
        });
  }

  /// Takes a letter out for good.
  ///
  /// @return whether it was among those that can be seen
  public boolean discard(String id) {
    return finding(
            id,
            (look, _) -> {
              look.settle();
              return id;
            })
        .isPresent();
  }

  /// Sends a letter with another body and other headers to the queue that it came from; it stays
  /// here, too.
  public Optional<Redrive> redriveAs(String id, Map<String, Object> headers, byte[] body) {
    return finding(
        id,
        (_, letter) -> {
          var original = DeadMessagePublisher.original(letter.properties);
          var changed = original.builder().headers(headers.isEmpty() ? null : headers).build();
          return publish(letter, changed, body);
        });
  }

  private Redrive publish(HeldMessage letter, BasicProperties properties, byte[] body) {
    var origin = DeadMessage.origin(letter.properties);
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

  private boolean hasSettled(QueueBrowse look, String origin) {
    try {
      look.settle();
      return true;
    } catch (AmqpException gone) {
      log.warn(
          "a letter of {} went to {} and stays dead too: {}", queue, origin, gone.getMessage());
      return false;
    }
  }

  /// Why a letter that names this origin can't go back; empty when it can.
  public Optional<String> fault(String origin) {
    return origins.contains(origin) ? Optional.empty() : Optional.of(strange(origin));
  }

  private String strange(String origin) {
    return origin.isEmpty()
        ? "it does not say which queue it came from"
        : "it says that it came from %s, whose letters do not end in %s".formatted(origin, queue);
  }

  @FunctionalInterface
  private interface Use<T> {
    T use(QueueBrowse look, HeldMessage letter);
  }

  private <T> Optional<T> finding(String id, Use<T> use) {
    return looking(
        LIMIT,
        (look, deadline) -> {
          for (var letter = next(look); letter != null; letter = next(look)) {
            if (DeadMessage.id(letter).equals(id)) return Optional.of(use.use(look, letter));
            if (QueueBrowser.isOver(deadline)) throw QueueBrowser.late(queue);
          }
          return Optional.empty();
        });
  }

  private static @Nullable HeldMessage next(QueueBrowse look) {
    return look.taken() < MOST_SEEN && look.bytes() < MOST_BYTES ? look.next() : null;
  }

  private <T> T looking(Duration limit, QueueBrowser.Question<T> question) {
    return looks.look(queue, limit, (link, gate) -> new QueueBrowse(link, gate, queue), question);
  }

  @Override
  public void close() {
    looks.close();
  }
}
