package io.tidemill.amqp.inspect;

import com.rabbitmq.client.AlreadyClosedException;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.amqp.AmqpConfig;
import io.tidemill.amqp.AmqpConnection;
import io.tidemill.amqp.AmqpException;
import io.tidemill.service.Service;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How many messages wait in queues, and how many consumers they have; looked up every few seconds
/// for the metrics, or when asked.
public final class QueueMeters implements Service {
  private static final Logger log = LoggerFactory.getLogger(QueueMeters.class);
  private static final Duration EVERY = Duration.ofSeconds(5);
  private static final Duration SILENCE = Duration.ofSeconds(2);

  /// The state of a queue.
  ///
  /// @param messages RabbitMQ leaves out those that were delivered and not settled, Broker-J does
  ///   not
  public record Depth(long messages, long consumers) {}

  private final AmqpConfig config;
  private final Duration every;
  private final List<String> queues;
  private final Map<String, Depth> latest = new ConcurrentHashMap<>();
  private final Thread sampler = Thread.ofVirtual().name("amqp-depths").unstarted(this::sample);
  private volatile @Nullable AmqpConnection link;
  private final Map<String, Long> emptyAt = new ConcurrentHashMap<>();
  private volatile boolean stopping;
  private volatile boolean isAsking;
  private volatile long askedAt;
  private volatile boolean isKnown;
  private volatile String trouble = "";

  /// Only for who asks: it need not be started.
  public QueueMeters(AmqpConfig config) {
    this.config = config;
    every = EVERY;
    queues = List.of();
  }

  public QueueMeters(AmqpConfig config, List<String> queues, MeterRegistry metrics) {
    this(config, queues, metrics, EVERY);
  }

  public QueueMeters(
      AmqpConfig config, List<String> queues, MeterRegistry metrics, Duration every) {
    this.config = config;
    this.every = every;
    this.queues = List.copyOf(queues);
    for (var queue : queues) {
      Gauge.builder("amqp.queue.depth", () -> messages(queue))
          .description("Messages in the queue")
          .tag("queue", queue)
          .register(metrics);
    }
  }

  private double messages(String queue) {
    var depth = latest.get(queue);
    return depth == null ? Double.NaN : depth.messages();
  }

  @Override
  public String name() {
    return "queue depths";
  }

  @Override
  public void start() {
    sampler.start();
  }

  @Override
  public void stop() {
    stopping = true;
    sampler.interrupt();
    close();
  }

  /// As of a few seconds ago; empty when there is no such queue, or nothing is known of it.
  public Optional<Depth> latest(String queue) {
    return Optional.ofNullable(latest.get(queue));
  }

  /// Empty when there is no such queue.
  ///
  /// @throws AmqpException when the broker does not answer
  public synchronized Optional<Depth> depth(String queue) {
    try {
      // A question about a queue that is not there closes its channel: each has its own.
      var channel = connected().channel();
      var answer = channel.queueDeclarePassive(queue);
      channel.close();
      return Optional.of(new Depth(answer.getMessageCount(), answer.getConsumerCount()));
    } catch (IOException | TimeoutException | AlreadyClosedException refused) {
      if (AmqpException.isMissing(refused)) return Optional.empty();
      close(); // what comes late must not be taken for the answer to the next question
      throw new AmqpException("amqp: " + AmqpException.describe(refused), refused);
    } catch (AmqpException unreachable) {
      close();
      throw unreachable;
    }
  }

  /// How long it has been since the queue was last seen empty; empty when it is now, or never was
  /// in our time.
  public Optional<Duration> nonEmptyFor(String queue) {
    var at = emptyAt.get(queue);
    var depth = latest.get(queue);
    if (at == null || depth == null || depth.messages() == 0) return Optional.empty();
    return Optional.of(Duration.ofNanos(System.nanoTime() - at));
  }

  /// Whether anything is known of the queues: the first answer takes a moment.
  public boolean isKnown() {
    return isKnown;
  }

  /// Why the broker does not answer; empty when it does.
  public String trouble() {
    if (isAsking && System.nanoTime() - askedAt > SILENCE.toNanos()) {
      var seconds = Duration.ofNanos(System.nanoTime() - askedAt).toSeconds();
      return "no answer for " + seconds + " s";
    }
    return trouble;
  }

  private AmqpConnection connected() {
    var open = link;
    if (open == null || !open.isOpen()) {
      close();
      open = AmqpConnection.open(config, "tidemill-depths");
      link = open;
    }
    return open;
  }

  private void sample() {
    while (!stopping) {
      look();
      isKnown = true;
      try {
        Thread.sleep(every);
      } catch (InterruptedException stop) {
        return;
      }
    }
  }

  private void look() {
    try {
      for (var queue : queues) {
        askedAt = System.nanoTime();
        isAsking = true;
        depth(queue).ifPresentOrElse(depth -> note(queue, depth), () -> latest.remove(queue));
      }
      trouble = "";
    } catch (AmqpException unreachable) {
      latest.clear(); // that was before
      trouble = String.valueOf(unreachable.getMessage());
      log.debug("{}", unreachable.getMessage());
    } finally {
      isAsking = false;
    }
  }

  private void note(String queue, Depth depth) {
    if (depth.messages() == 0) emptyAt.put(queue, System.nanoTime());
    latest.put(queue, depth);
  }

  // Not guarded: it ends a question that hangs.
  private void close() {
    var open = link;
    link = null;
    if (open != null) open.close();
  }
}
