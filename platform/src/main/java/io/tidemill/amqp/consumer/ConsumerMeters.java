package io.tidemill.amqp.consumer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.amqp.HeldMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a [MessageConsumer] counts.
final class ConsumerMeters {
  private final Counter delivered;
  private final Counter redelivered;
  private final @Nullable DistributionSummary batches;
  final Counter acknowledged;
  final Counter retried;
  final Counter died;

  ConsumerMeters(MessagePlan plan, MeterRegistry metrics) {
    var queue = plan.queue();
    var retry =
        switch (plan.retries()) {
          case MessagePlan.Held _ -> "retry";
          case MessagePlan.Requeued _ -> "requeue";
        };
    delivered = metrics.counter("amqp.delivered", "queue", queue);
    redelivered = metrics.counter("amqp.redelivered", "queue", queue);
    acknowledged = metrics.counter("amqp.settled", "queue", queue, "as", "ack");
    retried = metrics.counter("amqp.settled", "queue", queue, "as", retry);
    died = metrics.counter("amqp.settled", "queue", queue, "as", "dead");
    batches = plan.batch().size() == 1 ? null : metrics.summary("amqp.batch.size", "queue", queue);
  }

  void delivered(List<HeldMessage> fresh) {
    for (var delivery : fresh) {
      delivered.increment();
      if (delivery.redelivered) redelivered.increment();
    }
  }

  void handles(int together) {
    if (batches != null) batches.record(together);
  }
}
