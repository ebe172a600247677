package io.tidemill.amqp;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.config.Renaming;
import io.tidemill.work.Backoff;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Publishes persistent messages and knows which of them the broker has (C4.1, F34, F35).
///
/// Any number of threads may publish at once. One thread writes, so that a broker which stops
/// reading holds up that one and nobody else; what is on its way is bounded in number and in bytes.
public final class AmqpPublisher implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(AmqpPublisher.class);

  // In KiB. A message counts at least so much that about a thousand are on their way at most.
  private static final int ROOM = 32 * 1024;
  private static final int LEAST = 32;
  private static final int FLUSH_AFTER = 64;
  private static final Duration TICK = Duration.ofMillis(100);
  private static final Duration CLOSE_WAIT = Duration.ofSeconds(5);
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(5));
  private static final Backoff AGAIN = new Backoff(Duration.ofMillis(20), Duration.ofSeconds(1));

  private final AmqpConfig config;
  private final Renaming queues;
  private final Renaming exchanges;
  private final Semaphore room = new Semaphore(ROOM, true);
  private final BlockingQueue<PendingConfirm> waiting = new LinkedBlockingQueue<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final MeterRegistry metrics;
  private final Counter confirmed;
  private final Counter failed;
  private final Thread writer =
      Thread.ofPlatform().daemon().name("amqp-publish").unstarted(this::run);
  private final Thread watch = Thread.ofVirtual().name("amqp-watch").unstarted(this::watch);
  private volatile boolean closing;
  private volatile @Nullable PublishChannel channel;
  private volatile String trouble = "not connected yet";

  /// Connects by itself, as often as needed.
  public AmqpPublisher(AmqpConfig config, MeterRegistry metrics) {
    this(config, "publisher", metrics);
  }

  /// @param name tells this one from others in metrics
  public AmqpPublisher(AmqpConfig config, String name, MeterRegistry metrics) {
    this.config = config;
    queues = config.queueNames();
    exchanges = config.exchangeNames();
    this.metrics = metrics;
    confirmed = metrics.counter("amqp.published", "end", "confirmed");
    failed = metrics.counter("amqp.published", "end", "failed");
    Gauge.builder("amqp.outstanding.kib", room, free -> ROOM - free.availablePermits())
        .description("Messages that the broker has not confirmed yet, in KiB")
        .tag("publisher", name)
        .register(metrics);
    writer.start();
    watch.start();
  }

  /// Publishes, and returns when the broker has the message; tries again when it is not sure.
  ///
  /// The broker may get it twice.
  ///
  /// @throws AmqpException when no queue takes it, or time is up
  public void publish(OutgoingMessage message) {
    publish(message.exchange(), message.routingKey(), message.properties(), message.body());
  }

  public void publish(String exchange, String key, BasicProperties properties, byte[] body) {
    var deadline = System.nanoTime() + config.publishTimeout().toNanos();
    for (int tries = 1; ; tries++) {
      try {
        await(send(exchange, key, properties, body, deadline));
        return;
      } catch (AmqpException refused) {
        var pause = AGAIN.after(tries, ThreadLocalRandom.current());
        if (!refused.isTransient() || System.nanoTime() + pause.toNanos() - deadline >= 0) {
          throw refused;
        }
        pause(pause);
      }
    }
  }

  /// Publishes without waiting for the confirm; waits only while too much is on its way.
  ///
  /// The future fails with an [AmqpException]; when it [AmqpException#isTransient] the message may
  /// be sent again. Whatever follows on the future runs on the connection's thread: keep it short.
  public CompletableFuture<Void> send(OutgoingMessage message) {
    var deadline = System.nanoTime() + config.publishTimeout().toNanos();
    return send(
        message.exchange(), message.routingKey(), message.properties(), message.body(), deadline);
  }

  private CompletableFuture<Void> send(
      String exchange, String key, BasicProperties properties, byte[] body, long deadline) {
    var cost = Math.clamp(body.length / 1024, LEAST, ROOM);
    enter(cost, deadline);
    var message =
        new PendingConfirm(
            exchanges.name(exchange),
            exchange.isEmpty() ? queues.name(key) : key,
            properties,
            body,
            deadline,
            went -> leave(cost, key, went));
    waiting.add(message);
    return message.future;
  }

  private void leave(int cost, String key, boolean went) {
    room.release(cost);
    (went ? confirmed : failed).increment();
    if (went) metrics.counter("amqp.published.by.key", "key", key).increment();
  }

  private void enter(int cost, long deadline) {
    try {
      if (closing) throw closedNow();
      if (room.tryAcquire(cost)) return;
      var left = deadline - System.nanoTime();
      if (!room.tryAcquire(cost, left, TimeUnit.NANOSECONDS)) throw late();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw interrupted(stop);
    }
  }

  private static AmqpException interrupted(InterruptedException stop) {
    return new AmqpException(AmqpException.Kind.IMPOSSIBLE, "interrupted while publishing", stop);
  }

  private static void await(CompletableFuture<Void> sent) {
    try {
      sent.get();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw interrupted(stop);
    } catch (ExecutionException refused) {
      if (refused.getCause() instanceof AmqpException why) throw why;
      throw new AmqpException("amqp: " + AmqpException.describe(refused), refused);
    }
  }

  // ---- one thread writes

  private void run() {
    var failures = 0;
    while (!hasEnded()) {
      try (var open = PublishChannel.open(config)) {
        if (failures > 0) log.info("publishing again");
        failures = 0;
        channel = open;
        writeTo(open);
        trouble = open.trouble();
      } catch (AmqpException unreachable) {
        trouble = String.valueOf(unreachable.getMessage());
        if (++failures == 1) log.warn("can't publish, will go on trying: {}", trouble);
        pause(BACKOFF.after(failures, ThreadLocalRandom.current()));
      } catch (RuntimeException unexpected) {
        // Without this thread nobody could publish any more.
        trouble = AmqpException.describe(unexpected);
        if (++failures == 1) log.error("publishing failed", unexpected);
        pause(BACKOFF.after(failures, ThreadLocalRandom.current()));
      } finally {
        channel = null;
      }
    }
  }

  private void writeTo(PublishChannel open) {
    while (open.isOpen() && !hasEnded()) {
      if (open.isBlocked()) pause(TICK);
      else writeSome(open);
    }
  }

  private void writeSome(PublishChannel open) {
    try {
      var first = waiting.poll(TICK.toMillis(), TimeUnit.MILLISECONDS);
      if (first == null) return;
      open.collectWrites();
      var next = first;
      for (int i = 0; next != null && i < FLUSH_AFTER; i++) {
        if (!next.isOver()) open.write(next);
        next = i + 1 < FLUSH_AFTER ? waiting.poll() : null;
      }
      open.flush();
    } catch (InterruptedException notOurs) {
      log.debug("interrupted", notOurs);
    }
  }

  // ---- another one keeps the time

  private void watch() {
    while (!hasEnded()) {
      pause(TICK);
      var now = System.nanoTime();
      for (var first = waiting.peek();
          first != null && first.isLate(now) && waiting.remove(first);
          first = waiting.peek()) {
        first.fail(late());
      }
      var open = channel;
      if (open != null) open.sweep(now);
    }
  }

  private AmqpException late() {
    var open = channel;
    var why = open == null ? trouble : open.trouble();
    return new AmqpException(
        "the broker did not take the message within %d ms: %s"
            .formatted(config.publishTimeout().toMillis(), why),
        null);
  }

  private static AmqpException closedNow() {
    return new AmqpException(AmqpException.Kind.IMPOSSIBLE, "the publisher is closed", null);
  }

  /// Whether there is a broker that takes messages.
  public boolean isHealthy() {
    var open = channel;
    return open != null && open.isOpen() && !open.isBlocked();
  }

  /// One line on how it is.
  ///
  /// @throws AmqpException when nothing can be published at the moment
  public String check() {
    if (isHealthy()) return "publishing";
    var open = channel;
    throw new AmqpException("can't publish: " + (open == null ? trouble : open.trouble()), null);
  }

  private boolean hasEnded() {
    return ended.getCount() == 0;
  }

  // Ends early when the publisher closes.
  private void pause(Duration pause) {
    try {
      ended.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  /// Waits a moment for what is on its way, then fails the rest.
  @Override
  public void close() {
    closing = true;
    try {
      if (isHealthy()) awaitConfirms();
      ended.countDown();
      writer.join(CLOSE_WAIT);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
    ended.countDown();
    for (var left = waiting.poll(); left != null; left = waiting.poll()) left.fail(closedNow());
    var open = channel;
    if (open != null) open.close();
  }

  private void awaitConfirms() throws InterruptedException {
    if (room.tryAcquire(ROOM, CLOSE_WAIT.toMillis(), TimeUnit.MILLISECONDS)) room.release(ROOM);
  }
}
