package io.tidemill.amqp.consumer;

import io.tidemill.amqp.HeldMessage;
import io.tidemill.observe.LogContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// What a [MessageConsumer] does on one channel, from its first delivery to its end: tags never
/// leave it (F43).
final class MessageSession {
  // Short enough that a stop is noticed.
  private static final Duration WAIT = Duration.ofMillis(200);

  private final MessagePlan plan;
  private final DeliveryBuffer inbox;
  private final MessageHandler handler;
  private final ConsumerMeters meters;
  private final Outage outage;
  private final DeliverySettler settler;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong count = new AtomicLong();
  private volatile boolean stopping;

  MessageSession(
      MessagePlan plan,
      DeliveryBuffer inbox,
      MessageHandler handler,
      DeadMessagePublisher dead,
      ConsumerMeters meters) {
    this.plan = plan;
    this.inbox = inbox;
    this.handler = handler;
    this.meters = meters;
    outage = new Outage(plan.queue(), plan.backoff());
    settler =
        switch (plan.retries()) {
          case MessagePlan.Held held -> new HoldingSettler(plan, held, inbox, dead, outage, meters);
          case MessagePlan.Requeued requeued ->
              new RequeueingSettler(plan, requeued, inbox, dead, outage, meters);
        };
  }

  /// Until the channel ends, or [#stop].
  void run() {
    var workers = new ArrayList<Thread>();
    for (var i = 1; i <= plan.parallel(); i++) {
      workers.add(Thread.ofPlatform().daemon().name(plan.queue() + "-" + i).start(this::work));
    }
    while (isRunning()) settler.settleDue(WAIT);
    outage.stop();
    for (var worker : workers) join(worker);
  }

  void stop() {
    stopping = true;
    outage.stop();
    settler.stop();
  }

  private boolean isRunning() {
    return !stopping && inbox.isOpen();
  }

  private void work() {
    while (isRunning()) {
      try {
        if (outage.awaitEnd()) step(); // while nothing works there is no point in taking anything
      } catch (RuntimeException | Error unsettled) {
        if (isRunning()) {
          MessageConsumer.log.error("{} could not be settled", plan.queue(), unsettled);
        }
        // On this channel nobody would do it any more. When it ends, the broker delivers again.
        inbox.giveUp("a message could not be settled: " + unsettled);
      }
    }
  }

  private void step() {
    var batch = nextBatch();
    if (batch.isEmpty()) return;
    meters.handles(batch.size());
    // The first time it is tried again as a whole: most failures are not the fault of a delivery.
    // Searches become rare when they don't help, and each begins at another delivery.
    var inVain = outage.failures();
    var search = Integer.bitCount(inVain) == 1;
    if (search) Collections.rotate(batch, inVain - 1);
    try (var context = LogContext.open()) {
      settler.settle(BatchAttempt.of(handler, context, batch, search));
    }
  }

  private List<HeldMessage> nextBatch() {
    var most = plan.batch().size();
    var batch = new ArrayList<>(settler.due(most));
    if (batch.size() < most) {
      var wait = batch.isEmpty() ? settler.untilNextDue(WAIT) : Duration.ZERO;
      batch.addAll(fresh(most - batch.size(), wait));
    }
    batch.sort(Comparator.comparingLong(delivery -> delivery.tag));
    return batch;
  }

  private List<HeldMessage> fresh(int most, Duration wait) {
    var taken = inbox.take(most, wait);
    settler.take(taken);
    meters.delivered(taken);
    for (var delivery : taken) bytes.addAndGet(delivery.body.length);
    count.addAndGet(taken.size());
    return taken;
  }

  /// Why nothing gets through; null when something does.
  @Nullable String trouble() {
    if (!inbox.isOpen()) return inbox.trouble();
    var why = settler.trouble();
    return why == null ? null : "nothing gets through: " + why;
  }

  int unsettled() {
    return settler.unsettled();
  }

  /// Bytes of a delivery.
  ///
  /// @param before what it was when there was none
  long averageSize(long before) {
    return count.get() == 0 ? before : Math.max(1, bytes.get() / count.get());
  }

  private static void join(Thread worker) {
    try {
      worker.join();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
