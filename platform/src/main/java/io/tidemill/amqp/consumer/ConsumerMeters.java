package io.tidemill.amqp.consumer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/// What an [MessageConsumer] counts.
final class ConsumerMeters {
  final Counter delivered;
  final Counter redelivered;
  final Counter acknowledged;
  final Counter requeued;
  final Counter died;

  ConsumerMeters(String queue, MeterRegistry metrics) {
    delivered = metrics.counter("amqp.delivered", "queue", queue);
    redelivered = metrics.counter("amqp.redelivered", "queue", queue);
    acknowledged = metrics.counter("amqp.settled", "queue", queue, "as", "ack");
    requeued = metrics.counter("amqp.settled", "queue", queue, "as", "requeue");
    died = metrics.counter("amqp.settled", "queue", queue, "as", "dead");
  }
}
