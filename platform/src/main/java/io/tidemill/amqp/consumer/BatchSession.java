package io.tidemill.amqp.consumer;

import io.tidemill.amqp.AmqpException;
import io.tidemill.amqp.HeldMessage;
import io.tidemill.amqp.QueueDeclaration;
import io.tidemill.amqp.consumer.BatchConsumer.Meters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/// What happens on one channel, from its first delivery to its end: tags never leave it (F43).
///
/// Used by one thread.
final class BatchSession {
  // Short enough that a stop is noticed.
  private static final Duration WAIT = Duration.ofMillis(200);

  private final BatchPlan plan;
  private final DeliveryBuffer inbox;
  private final BatchHandler handler;
  private final DeadMessagePublisher dead;
  private final Meters meters;
  private final UnsettledDeliveries unsettled = new UnsettledDeliveries();
  private final List<HeldMessage> again = new ArrayList<>();
  private int roundsInVain;
  private volatile boolean stuck;
  private volatile int open;
  private volatile String trouble = "";
  private long bytes;
  private long count;

  BatchSession(
      BatchPlan plan,
      DeliveryBuffer inbox,
      BatchHandler handler,
      DeadMessagePublisher dead,
      Meters meters) {
    this.plan = plan;
    this.inbox = inbox;
    this.handler = handler;
    this.dead = dead;
    this.meters = meters;
  }

  /// Takes a batch, if there is one, handles it and settles it.
  ///
  /// @return how long to wait before the next step
  /// @throws AmqpException when the channel is gone
  Duration step() {
    if (!inbox.isOpen()) throw new AmqpException(inbox.trouble(), null);
    var batch = nextBatch();
    if (batch.isEmpty()) return Duration.ZERO;

    // The first time it is tried again as a whole: most failures are not the fault of a delivery.
    // Searches become rare when they don't help, and each begins at another delivery.
    var search = Integer.bitCount(roundsInVain) == 1;
    if (search) Collections.rotate(batch, roundsInVain - 1);
    var round = BatchAttempt.of(handler, batch, search);
    count(round);
    settle(round);
    if (again.isEmpty()) roundsInVain = 0;
    giveBackWhatIsHeldTooLong();
    open = unsettled.size();
    stuck = roundsInVain > 0;
    return roundsInVain == 0 ? Duration.ZERO : backoff(roundsInVain);
  }

  private void count(BatchAttempt round) {
    meters.retried.increment(round.failed().size());
    if (round.gotThrough() || round.failed().isEmpty()) {
      if (roundsInVain > 0) BatchConsumer.log.info("{} goes on", plan.queue());
      roundsInVain = 0;
      return;
    }
    trouble = round.failed().values().iterator().next().why();
    if (++roundsInVain == 1) {
      BatchConsumer.log.warn("{} will be tried again: {}", plan.queue(), trouble);
    }
  }

  private List<HeldMessage> nextBatch() {
    var now = System.nanoTime();
    var batch = new ArrayList<HeldMessage>();
    for (var delivery : again) {
      if (delivery.notBefore - now <= 0 && batch.size() < plan.batch()) batch.add(delivery);
    }
    again.removeAll(batch);
    if (batch.size() < plan.batch()) batch.addAll(fresh(batch));
    batch.sort(Comparator.comparingLong(delivery -> delivery.tag));
    if (!batch.isEmpty()) meters.batches.record(batch.size());
    return batch;
  }

  private List<HeldMessage> fresh(List<HeldMessage> due) {
    var taken =
        inbox.take(plan.batch() - due.size(), due.isEmpty() ? untilNextDue() : Duration.ZERO);
    unsettled.take(taken);
    for (var delivery : taken) {
      bytes += delivery.body.length;
      count++;
      meters.delivered.increment();
      if (delivery.redelivered) meters.redelivered.increment();
    }
    return taken;
  }

  private Duration untilNextDue() {
    var now = System.nanoTime();
    return again.stream()
        .map(delivery -> Duration.ofNanos(Math.max(1, delivery.notBefore - now)))
        .min(Comparator.naturalOrder())
        .filter(due -> due.compareTo(WAIT) < 0)
        .orElse(WAIT);
  }

  // Dead letters first, then the broker hears of everything that is done (F40).
  private void settle(BatchAttempt round) {
    var done = new ArrayList<HeldMessage>();
    round
        .settled()
        .forEach((delivery, settlement) -> {
          switch (settlement) {
            case BatchSettlement.Ack _ -> {
              meters.acknowledged.increment();
              done.add(delivery);
            }
            case BatchSettlement.Dead(var reason) -> {
              if (bury(delivery, reason)) done.add(delivery);
            }
            case BatchSettlement.Retry(var why) -> throw new IllegalStateException(why);
          }
        });
    round
        .failed()
        .forEach((delivery, failure) -> {
          if (failedForGood(delivery, failure, round.gotThrough())) done.add(delivery);
        });
    for (var ack : unsettled.settle(done)) inbox.ack(ack.tag(), ack.andAllBefore());
    done.forEach(inbox::release);
  }

  private boolean failedForGood(
      HeldMessage delivery, BatchAttempt.Failure failure, boolean othersGotThrough) {
    if (failure.alone() && (othersGotThrough || failure.threw() != null)) delivery.strikes++;
    if (delivery.strikes >= plan.tries()) {
      return bury(delivery, "failed %d times: %s".formatted(delivery.attempts, failure.why()));
    }
    keep(delivery);
    return false;
  }

  private void keep(HeldMessage delivery) {
    delivery.notBefore =
        System.nanoTime() + (roundsInVain > 0 ? 0 : backoff(delivery.strikes).toNanos());
    again.add(delivery);
  }

  private boolean bury(HeldMessage delivery, String reason) {
    try {
      dead.publish(delivery, reason);
      meters.died.increment();
      BatchConsumer.log.warn("a message of {} went to {}: {}", plan.queue(), plan.dead(), reason);
      return true;
    } catch (AmqpException refused) {
      trouble = String.valueOf(refused.getMessage());
      BatchConsumer.log.warn(
          "a message of {} can't go to its dead letters: {}", plan.queue(), trouble);
      if (refused.isUnroutable()) QueueDeclaration.require(inbox.link(), List.of(plan.dead()));
      keep(delivery);
      return false;
    }
  }

  private Duration backoff(int failures) {
    return plan.backoff().after(failures, ThreadLocalRandom.current());
  }

  // F42
  private void giveBackWhatIsHeldTooLong() {
    var now = System.nanoTime();
    var most = plan.holdAtMost().toNanos();
    for (var delivery : again) {
      if (now - delivery.since > most) {
        throw new AmqpException("deliveries go back to the queue: " + trouble, null);
      }
    }
  }

  boolean isHealthy() {
    return inbox.isOpen() && !stuck;
  }

  String trouble() {
    return inbox.isOpen() ? "nothing gets through: " + trouble : inbox.trouble();
  }

  int unsettled() {
    return open;
  }

  long averageSize(long before) {
    return count == 0 ? before : Math.max(1, bytes / count);
  }
}
