package io.tidemill.amqp.consumer;

import io.tidemill.amqp.HeldMessage;
import io.tidemill.work.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Keeps what failed and has it tried again, beside others; acknowledges in few words.
///
/// Used by one worker.
final class HoldingSettler extends DeliverySettler {
  private final Duration atMost;
  private final UnsettledDeliveries unsettled = new UnsettledDeliveries();
  private final List<HeldMessage> again = new ArrayList<>();
  private final CountDownLatch stopping = new CountDownLatch(1);
  private String lastFailure = "";
  private volatile int open;

  HoldingSettler(
      MessagePlan plan,
      MessagePlan.Held held,
      DeliveryBuffer inbox,
      DeadMessagePublisher dead,
      Outage outage,
      ConsumerMeters meters) {
    super(plan, inbox, dead, outage, meters);
    atMost = held.atMost();
  }

  @Override
  void take(List<HeldMessage> fresh) {
    unsettled.take(fresh);
    open = unsettled.size();
  }

  @Override
  List<HeldMessage> due(int most) {
    var now = System.nanoTime();
    var due = again.stream().filter(held -> held.notBefore - now <= 0).limit(most).toList();
    again.removeAll(due);
    return due;
  }

  @Override
  Duration untilNextDue(Duration most) {
    var now = System.nanoTime();
    return again.stream()
        .map(delivery -> Duration.ofNanos(Math.max(1, delivery.notBefore - now)))
        .min(Comparator.naturalOrder())
        .filter(due -> due.compareTo(most) < 0)
        .orElse(most);
  }

  // Dead letters first, then the broker hears of everything that is done (F40).
  @Override
  void settle(BatchAttempt attempt) {
    note(attempt);
    var done = new ArrayList<HeldMessage>();
    attempt
        .settled()
        .forEach((delivery, settlement) -> {
          if (settlement instanceof Settlement.DeadLetter(var why)) {
            if (isBuried(delivery, why)) done.add(delivery);
          } else {
            meters.acknowledged.increment();
            done.add(delivery);
          }
        });
    attempt
        .failed()
        .forEach((delivery, failure) -> {
          if (failedForGood(delivery, failure, attempt.anyAcknowledged())) done.add(delivery);
        });
    for (var ack : unsettled.settle(done)) inbox.ack(ack.tag(), ack.andAllBefore());
    done.forEach(inbox::release);
    if (again.isEmpty()) outage.endAtOnce();
    open = unsettled.size();
    giveBackWhatIsHeldTooLong();
  }

  private void note(BatchAttempt attempt) {
    meters.retried.increment(attempt.failed().size());
    if (attempt.anyAcknowledged() || attempt.failed().isEmpty()) {
      outage.endAtOnce();
      return;
    }
    lastFailure = attempt.failed().values().iterator().next().why();
    outage.note(lastFailure);
  }

  // What was put off is at fault itself only when others got through in its place.
  private boolean failedForGood(
      HeldMessage delivery, BatchAttempt.Failure failure, boolean othersGotThrough) {
    if (failure.alone() && (othersGotThrough || failure.isCounted())) delivery.strikes++;
    if (delivery.strikes >= plan.tries()) {
      return isBuried(delivery, "failed %d times: %s".formatted(delivery.attempts, failure.why()));
    }
    keep(delivery, failure.after());
    return false;
  }

  private boolean isBuried(HeldMessage delivery, String why) {
    var refused = bury(delivery, why);
    if (refused == null) return true;
    lastFailure = String.valueOf(refused.getMessage());
    MessageConsumer.log.warn(
        "a message of {} can't go to its dead letters: {}", plan.queue(), lastFailure);
    repair(refused);
    keep(delivery, Duration.ZERO);
    return false;
  }

  // While nothing gets through, the pause of all is enough.
  private void keep(HeldMessage delivery, Duration asked) {
    var isOutage = outage.why() != null && asked.isZero();
    var pause = isOutage ? Duration.ZERO : pause(asked, delivery.strikes);
    delivery.notBefore = System.nanoTime() + pause.toNanos();
    again.add(delivery);
  }

  // F42
  private void giveBackWhatIsHeldTooLong() {
    var now = System.nanoTime();
    if (again.stream().anyMatch(delivery -> now - delivery.since > atMost.toNanos())) {
      inbox.giveUp("deliveries go back to the queue: " + lastFailure);
    }
  }

  @Override
  void settleDue(Duration most) {
    try {
      stopping.await(most.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  void stop() {
    stopping.countDown();
  }

  @Override
  @Nullable String trouble() {
    return outage.why();
  }

  @Override
  int unsettled() {
    return open;
  }
}
