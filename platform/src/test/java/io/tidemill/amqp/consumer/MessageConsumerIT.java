package io.tidemill.amqp.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.amqp.Topology;
import io.tidemill.support.BrokerJ;
import io.tidemill.support.ForeignProgram;
import io.tidemill.work.Backoff;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// No message stays unsettled for good, whatever becomes of the threads that handle them.
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
        (_, _) -> handled.incrementAndGet() <= 2 ? new Verdict.Again("not now") : Verdict.DONE,
        attempts);

    assertThat(failures).hasPositiveValue();
  }

  @Test
  void aHandlerThatWasInterruptedKeepsNobodyFromTheNextMessage() throws Exception {
    drain(
        (_, _) -> {
          handled.incrementAndGet();
          Thread.currentThread().interrupt();
          return Verdict.DONE;
        },
        new AttemptCounts() {
          @Override
          public int failed(String message) {
            return 1;
          }

          @Override
          public void forget(String message) {}
        });

    assertThat(handled).hasValueGreaterThanOrEqualTo(MESSAGES);
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
                  new Topology.Bound("each.events", QUEUE, "#"),
                  QUEUE + ".dead",
                  2,
                  4,
                  5,
                  new Backoff(Duration.ofMillis(10), Duration.ofMillis(100))),
              handler,
              attempts,
              publisher,
              InstantSource.system(),
              metrics);
      consumer.start();
      try {
        await().until(() -> stranger.depth(QUEUE) == 0);
      } finally {
        consumer.stop();
      }
    }
  }
}
