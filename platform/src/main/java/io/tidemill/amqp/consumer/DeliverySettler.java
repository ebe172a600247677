package io.tidemill.amqp.consumer;

import io.tidemill.amqp.AmqpException;
import io.tidemill.amqp.HeldMessage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// Tells the broker what became of the deliveries of one channel, and looks after those that
/// failed, until their next try.
abstract sealed class DeliverySettler permits HoldingSettler, RequeueingSettler {
  final MessagePlan plan;
  final DeliveryBuffer inbox;
  final Outage outage;
  final ConsumerMeters meters;
  private final DeadMessagePublisher dead;

  DeliverySettler(
      MessagePlan plan,
      DeliveryBuffer inbox,
      DeadMessagePublisher dead,
      Outage outage,
      ConsumerMeters meters) {
    this.plan = plan;
    this.inbox = inbox;
    this.dead = dead;
    this.outage = outage;
    this.meters = meters;
  }

  /// These are to be settled from now on.
  abstract void take(List<HeldMessage> fresh);

  /// Those that failed and are to be tried again now.
  abstract List<HeldMessage> due(int most);

  /// How long to wait for fresh ones at most: until one that failed is due.
  abstract Duration untilNextDue(Duration most);

  /// Settles all that was tried.
  ///
  /// @throws AmqpException when the channel is gone: then the broker delivers again
  abstract void settle(BatchAttempt attempt);

  /// Does what need not wait for a worker, or waits a while when there is nothing of the kind.
  abstract void settleDue(Duration most);

  /// Nothing more is tried.
  abstract void stop();

  /// Why nothing gets through; null when something does.
  abstract @Nullable String trouble();

  /// How many were taken and are not settled.
  abstract int unsettled();

  /// Copies it to the dead letters.
  ///
  /// @return why the broker does not have the copy; null when it has
  @Nullable AmqpException bury(HeldMessage delivery, String why) {
    try {
      dead.publish(delivery, why);
    } catch (AmqpException refused) {
      return refused;
    }
    meters.died.increment();
    MessageConsumer.log.warn("a message of {} went to {}: {}", plan.queue(), plan.dead(), why);
    return null;
  }

  /// Makes the queue of dead letters when it was missing.
  void repair(AmqpException refused) {
    if (refused.isUnroutable()) inbox.requireQueues(plan.dead());
  }

  /// @param asked zero for a pause that grows with the failures
  Duration pause(Duration asked, int failures) {
    return asked.isZero() ? plan.backoff().after(failures, ThreadLocalRandom.current()) : asked;
  }
}
