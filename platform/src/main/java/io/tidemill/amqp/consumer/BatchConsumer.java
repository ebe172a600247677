package io.tidemill.amqp.consumer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.amqp.AmqpConfig;
import io.tidemill.amqp.AmqpException;
import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.service.Service;
import io.tidemill.work.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Hands the messages of one queue to a handler, in batches, and settles them as it says (C4.6).
///
/// One thread, one channel. It connects again for ever; what was not settled by then is delivered
/// again.
public final class BatchConsumer implements Service {
  static final Logger log = LoggerFactory.getLogger(BatchConsumer.class);

  private static final Backoff RECONNECT =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));
  private static final Duration STOP_WAIT = Duration.ofSeconds(10);

  private final AmqpConfig config;
  private final BatchPlan plan;
  private final BatchHandler handler;
  private final DeadMessagePublisher dead;
  private final InstantSource clock;
  private final Meters meters;
  private final Thread thread;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private volatile @Nullable Instant connectedSince;
  private volatile @Nullable BatchSession session;
  private volatile String trouble = "not connected yet";
  private volatile long averageSize;

  /// @param deadLetters publishes what can never be handled
  public BatchConsumer(
      AmqpConfig config,
      BatchPlan plan,
      BatchHandler handler,
      AmqpPublisher deadLetters,
      InstantSource clock,
      MeterRegistry metrics) {
    this.config = config;
    this.plan = plan;
    this.handler = handler;
    this.dead = new DeadMessagePublisher(deadLetters, plan, clock);
    this.clock = clock;
    meters = new Meters(plan.queue(), metrics);
    thread = Thread.ofPlatform().name("consume-" + plan.queue()).unstarted(this::run);
    Gauge.builder("amqp.consumer.unsettled", this, BatchConsumer::unsettled)
        .description("Deliveries that the handler has and has not settled")
        .tag("queue", plan.queue())
        .register(metrics);
  }

  @Override
  public String name() {
    return "consumer of " + plan.queue();
  }

  /// Does not wait for the broker: it may come later.
  @Override
  public void start() {
    thread.start();
  }

  /// Finishes the batch at hand; the handler is never interrupted.
  @Override
  public void stop() {
    stopping.countDown();
    try {
      if (!thread.join(STOP_WAIT)) log.warn("the handler of {} does not end", plan.queue());
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  /// Whether it is connected and gets batches done.
  public boolean isHealthy() {
    var current = session;
    return current != null && current.isHealthy();
  }

  /// One line on how it is.
  ///
  /// @throws AmqpException when it is not connected, or nothing gets through
  public String check() {
    var current = session;
    if (current == null) throw new AmqpException("not connected: " + trouble, null);
    if (!current.isHealthy()) throw new AmqpException(current.trouble(), null);
    return "connected since " + connectedSince;
  }

  private int unsettled() {
    var current = session;
    return current == null ? 0 : current.unsettled();
  }

  private void run() {
    var failures = 0;
    while (!isStopping()) {
      try (var inbox = DeliveryBuffer.open(config, plan, prefetch())) {
        if (failures > 0) log.info("consuming {} again", plan.queue());
        failures = 0;
        consume(inbox);
      } catch (AmqpException unreachable) {
        trouble = String.valueOf(unreachable.getMessage());
        if (++failures == 1 && !isStopping()) {
          log.warn("can't consume {}, will go on trying: {}", plan.queue(), trouble);
        }
        pause(RECONNECT.after(failures, ThreadLocalRandom.current()));
      } catch (RuntimeException unexpected) {
        // Without this thread the process would look alive and do nothing.
        trouble = AmqpException.describe(unexpected);
        if (++failures == 1) log.error("consuming {} failed", plan.queue(), unexpected);
        pause(RECONNECT.after(failures, ThreadLocalRandom.current()));
      } finally {
        session = null;
      }
    }
  }

  private void consume(DeliveryBuffer inbox) {
    var current = new BatchSession(plan, inbox, handler, dead, meters);
    connectedSince = clock.instant();
    session = current;
    try {
      while (!isStopping()) {
        pause(current.step());
      }
    } finally {
      averageSize = current.averageSize(averageSize);
    }
  }

  // As many as two batches, but no more than fit the byte budget by what we have seen (F41).
  private int prefetch() {
    var most = 2L * plan.batch();
    return (int)
        (averageSize == 0 ? most : Math.clamp(plan.bytes().bytes() / averageSize, 1, most));
  }

  private boolean isStopping() {
    return stopping.getCount() == 0;
  }

  // Ends early when the consumer stops.
  private void pause(Duration pause) {
    if (pause.isZero()) return;
    try {
      stopping.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  /// What is counted.
  static final class Meters {
    final Counter delivered;
    final Counter redelivered;
    final Counter acknowledged;
    final Counter retried;
    final Counter died;
    final DistributionSummary batches;

    Meters(String queue, MeterRegistry metrics) {
      delivered = metrics.counter("amqp.delivered", "queue", queue);
      redelivered = metrics.counter("amqp.redelivered", "queue", queue);
      acknowledged = metrics.counter("amqp.settled", "queue", queue, "as", "ack");
      retried = metrics.counter("amqp.settled", "queue", queue, "as", "retry");
      died = metrics.counter("amqp.settled", "queue", queue, "as", "dead");
      batches = metrics.summary("amqp.batch.size", "queue", queue);
    }
  }
}
