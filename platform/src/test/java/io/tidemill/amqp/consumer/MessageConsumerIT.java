package io.tidemill.amqp.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.amqp.Topology;
import io.tidemill.support.BrokerJ;
import io.tidemill.support.ForeignProgram;
import io.tidemill.work.AttemptCounts;
import io.tidemill.work.Backoff;
import io.tidemill.work.Settlement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Messages one by one: none stays unsettled for good, whatever becomes of the threads that handle
/// them, and only what fails by itself is counted.
class MessageConsumerIT {
  private static final String QUEUE = "each";
  private static final int MESSAGES = 20;

  private final AtomicInteger handled = new AtomicInteger();

  @Test
  void whatCouldNotBeSettledIsDeliveredAgain() throws Exception {
    var failures = new AtomicInteger();
    var attempts =
        new AttemptCounts() {
          @Override
          public int failed(String message) {
            if (failures.incrementAndGet() <= 2) throw new InternalError("for a moment");
            return 1;
          }

          @Override
          public void forget(String message) {}
        };

    drain(
        (batch, _) ->
            Collections.nCopies(
                batch.size(),
                handled.incrementAndGet() <= 2 ? new Settlement.Retry("not now") : Settlement.DONE),
        attempts);

    assertThat(failures).hasPositiveValue();
  }

  @Test
  void aHandlerThatWasInterruptedKeepsNobodyFromTheNextMessage() throws Exception {
    drain(
        (batch, _) -> {
          handled.incrementAndGet();
          Thread.currentThread().interrupt();
          return Collections.nCopies(batch.size(), Settlement.DONE);
        },
        new Counts());

    assertThat(handled).hasValueGreaterThanOrEqualTo(MESSAGES);
  }

  @Test
  void whatIsDeferredIsNotCounted() throws Exception { // C5.2
    var counts = new Counts();
    var down = new AtomicBoolean(true);
    var countedWhileDown = new AtomicInteger();

    drain(
        (batch, _) -> {
          assertThat(batch).hasSize(1);
          if (handled.incrementAndGet() == 50) {
            countedWhileDown.set(counts.failed.get());
            down.set(false);
          }
          return Collections.nCopies(
              1, down.get() ? new Settlement.Defer("the store is down") : Settlement.DONE);
        },
        counts);

    assertThat(countedWhileDown).hasValue(0);
    assertThat(handled).hasValueGreaterThanOrEqualTo(49 + MESSAGES);
  }

  @Test
  void aPauseThatTheHandlerAsksForIsKept() throws Exception {
    var began = System.nanoTime();
    var counts = new Counts();

    drain(
        (batch, _) ->
            Collections.nCopies(
                1,
                handled.incrementAndGet() <= 2
                    ? new Settlement.Retry(Duration.ofSeconds(2), "not now")
                    : Settlement.DONE),
        counts);

    assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofSeconds(2));
    assertThat(counts.byMessage).isEmpty(); // counted, and forgotten when they were done
    assertThat(counts.failed).hasValue(2);
  }

  private static final class Counts implements AttemptCounts {
    final ConcurrentHashMap<String, Integer> byMessage = new ConcurrentHashMap<>();
    final AtomicInteger failed = new AtomicInteger();

    @Override
    public int failed(String message) {
      failed.incrementAndGet();
      return byMessage.merge(message, 1, Integer::sum);
    }

    @Override
    public void forget(String message) {
      byMessage.remove(message);
    }
  }

  private static void drain(MessageHandler handler, AttemptCounts attempts) throws Exception {
    var metrics = new SimpleMeterRegistry();
    var config = BrokerJ.shared().config();
    try (var stranger = new ForeignProgram(BrokerJ.shared().port());
        var publisher = new AmqpPublisher(config, metrics)) {
      stranger.queue(QUEUE);
      for (int i = 0; i < MESSAGES; i++) stranger.publish(QUEUE, "m" + i);
      stranger.confirm();
      var consumer =
          new MessageConsumer(
              config,
              new MessagePlan(
                  QUEUE,
                  QUEUE + ".dead",
                  new Topology.Bound("each.events", QUEUE, "#"),
                  MessagePlan.Batch.of(1),
                  5,
                  new Backoff(Duration.ofMillis(10), Duration.ofMillis(100)),
                  new MessagePlan.Requeued(2, 4, attempts)),
              handler,
              publisher,
              InstantSource.system(),
              metrics);
      consumer.start();
      try {
        await()
            .until(() ->
                metrics.get("amqp.settled").tag("as", "ack").counter().count() >= MESSAGES
                    && metrics.get("amqp.consumer.unsettled").gauge().value() == 0
                    && stranger.depth(QUEUE) == 0);
      } finally {
        consumer.stop();
      }
    }
  }
}
