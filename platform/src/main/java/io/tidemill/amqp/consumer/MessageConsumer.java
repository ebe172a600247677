package io.tidemill.amqp.consumer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.amqp.AmqpConfig;
import io.tidemill.amqp.AmqpException;
import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.amqp.ManagementClient;
import io.tidemill.amqp.Topology;
import io.tidemill.service.Service;
import io.tidemill.work.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Hands the messages of one queue to a handler, in batches or one by one, and settles them as it
/// says (C4.6, C5.2).
///
/// It connects again for ever; what was not settled by then is delivered again.
public final class MessageConsumer implements Service {
  static final Logger log = LoggerFactory.getLogger(MessageConsumer.class);

  private static final String UNSETTLED = "amqp.consumer.unsettled";
  private static final Backoff RECONNECT =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));
  // A connection that does not last so long counts as a failure.
  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final Duration STOP_WAIT = Duration.ofSeconds(10);

  private final AmqpConfig config;
  private final MessagePlan plan;
  private final MessageHandler handler;
  private final DeadMessagePublisher dead;
  private final InstantSource clock;
  private final ConsumerMeters meters;
  private final Thread thread;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private volatile @Nullable MessageSession session;
  private volatile @Nullable Instant connectedSince;
  private volatile String trouble = "not connected yet";
  private long averageSize;

  /// @param deadLetters publishes what can never be handled
  public MessageConsumer(
      AmqpConfig config,
      MessagePlan plan,
      MessageHandler handler,
      AmqpPublisher deadLetters,
      InstantSource clock,
      MeterRegistry metrics) {
    this.config = config;
    this.plan = plan;
    this.handler = handler;
    var origin = config.queueNames().name(plan.queue());
    this.dead = new DeadMessagePublisher(deadLetters, origin, plan.dead(), clock);
    this.clock = clock;
    meters = new ConsumerMeters(plan, metrics);
    thread = Thread.ofPlatform().daemon().name("consume-" + plan.queue()).unstarted(this::run);
    // A consumer that this one follows has left its own.
    var earlier = metrics.find(UNSETTLED).tag("queue", plan.queue()).gauge();
    if (earlier != null) metrics.remove(earlier);
    Gauge.builder(UNSETTLED, this, MessageConsumer::unsettled)
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

  /// Finishes what is at hand; the handler is never interrupted.
  @Override
  public void stop() {
    stopping.countDown();
    var current = session;
    if (current != null) current.stop();
    try {
      if (!thread.join(STOP_WAIT)) log.warn("the handler of {} does not end", plan.queue());
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  /// Whether it is connected and gets messages done.
  public boolean isHealthy() {
    var current = session;
    return current != null && current.trouble() == null;
  }

  /// One line on how it is.
  ///
  /// @throws AmqpException when it is not connected, or nothing gets through
  public String check() {
    var current = session;
    if (current == null) throw new AmqpException("not connected: " + trouble, null);
    var stuck = current.trouble();
    if (stuck != null) throw new AmqpException(stuck, null);
    return "connected since " + connectedSince;
  }

  private int unsettled() {
    var current = session;
    return current == null ? 0 : current.unsettled();
  }

  private void run() {
    var failures = 0;
    while (!isStopping()) {
      var began = System.nanoTime();
      try {
        consume(failures);
        var lasted = System.nanoTime() - began > SHORT.toNanos();
        failures = lasted ? 0 : failures + 1;
        if (!isStopping()) log.warn("{} is no longer consumed: {}", plan.queue(), trouble);
      } catch (RuntimeException | Error gone) { // without this thread nothing would be consumed
        trouble = AmqpException.describe(gone);
        if (++failures == 1 && !isStopping()) {
          log.warn("can't consume {}, will go on trying: {}", plan.queue(), trouble);
        }
      } finally {
        session = null;
      }
      if (!isStopping()) pause(RECONNECT.after(Math.max(1, failures), ThreadLocalRandom.current()));
    }
  }

  // Comes back when the connection is gone, or we are to stop.
  private void consume(int failures) {
    provision(failures == 0);
    try (var inbox = DeliveryBuffer.open(config, plan, plan.prefetch(averageSize))) {
      if (failures > 0) log.info("consuming {} again", plan.queue());
      var current = new MessageSession(plan, inbox, handler, dead, meters);
      connectedSince = clock.instant();
      session = current;
      if (isStopping()) current.stop();
      current.run();
      trouble = inbox.trouble();
      averageSize = current.averageSize(averageSize);
    }
  }

  private void provision(boolean verify) {
    var bound = plan.bound();
    if (bound == null) return;
    try (var topology = new Topology(config)) {
      topology.provision(List.of(plan.dead()), List.of(bound));
    }
    if (verify) new ManagementClient(config).verify(bound);
  }

  private boolean isStopping() {
    return stopping.getCount() == 0;
  }

  private void pause(Duration pause) {
    try {
      stopping.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
