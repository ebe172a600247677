package io.tidemill.amqp.consumer;

import io.tidemill.amqp.AmqpException;
import io.tidemill.amqp.HeldMessage;
import io.tidemill.amqp.consumer.BatchAttempt.Failure;
import io.tidemill.content.fingerprint.Digest;
import io.tidemill.work.AttemptCounts;
import io.tidemill.work.Settlement;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Gives what failed back to the queue when its pause is over, and settles each by itself.
///
/// Used by several workers at once.
final class RequeueingSettler extends DeliverySettler {
  private static final Duration LAPSE = Duration.ofMinutes(1);
  private static final int MOST_PUT_OFF = 1_000;

  private final AttemptCounts attempts;
  private final int mostWaiting;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // Those that failed, until they may go back to the queue.
  private final PriorityQueue<HeldMessage> waiting =
      new PriorityQueue<>((one, other) -> Long.signum(one.notBefore - other.notBefore));
  private volatile boolean stopping;
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicLong done = new AtomicLong();
  // How many others were done when a message found nothing working.
  private final Map<String, Long> putOff =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
              return size() > MOST_PUT_OFF;
            }
          });

  RequeueingSettler(
      MessagePlan plan,
      MessagePlan.Requeued requeued,
      DeliveryBuffer inbox,
      DeadMessagePublisher dead,
      Outage outage,
      ConsumerMeters meters) {
    super(plan, inbox, dead, outage, meters);
    attempts = requeued.attempts();
    mostWaiting = requeued.waiting();
  }

  @Override
  void take(List<HeldMessage> fresh) {
    open.addAndGet(fresh.size());
  }

  @Override
  List<HeldMessage> due(int most) {
    return List.of(); // they come again from the queue
  }

  @Override
  Duration untilNextDue(Duration most) {
    return most;
  }

  // Who is told to stop may fail because of that: what failed goes back as it was.
  @Override
  void settle(BatchAttempt attempt) {
    attempt
        .settled()
        .forEach((held, settlement) -> {
          if (settlement instanceof Settlement.DeadLetter(var why)) {
            if (stopping) return;
            outage.end();
            buryOrKeep(held, why);
          } else {
            outage.end();
            acknowledge(held);
          }
        });
    if (!stopping) attempt.failed().forEach(this::failed);
  }

  private void acknowledge(HeldMessage held) {
    done.incrementAndGet();
    meters.acknowledged.increment();
    inbox.ack(held.tag, false);
    release(held);
    forget(held);
  }

  private void failed(HeldMessage held, Failure failure) {
    var why = failure.why();
    if (failure.threw() != null) {
      MessageConsumer.log.error("a message of {} failed", plan.queue(), failure.threw());
      why = "unexpected: " + why;
    }
    if (failure.isCounted()) {
      outage.end();
      retry(held, failure.after(), why);
    } else defer(held, failure.after(), why);
  }

  private void retry(HeldMessage held, Duration after, String why) {
    int failures;
    try {
      failures = attempts.failed(identity(held));
    } catch (RuntimeException uncounted) {
      keep(held, outage.note("attempts can't be counted: " + uncounted.getMessage()));
      return;
    }
    held.attempts = failures;
    if (failures >= plan.tries()) {
      buryOrKeep(held, "failed %d times: %s".formatted(failures, why));
      return;
    }
    var pause = pause(after, failures);
    MessageConsumer.log.warn(
        "a message of {} goes back to the queue in {} ms, attempt {} of {}: {}",
        plan.queue(),
        pause.toMillis(),
        failures,
        plan.tries(),
        why);
    keep(held, pause);
  }

  // A message that alone finds nothing working, while others get through, is at fault itself.
  private void defer(HeldMessage held, Duration after, String why) {
    var before = putOff.put(identity(held), done.get());
    if (before != null && done.get() > before) {
      retry(held, after, why);
      return;
    }
    var pause = outage.note(why);
    keep(held, after.isZero() ? pause : after);
  }

  private void buryOrKeep(HeldMessage held, String why) {
    var refused = bury(held, why);
    if (refused != null) {
      keep(held, outage.note("the dead letters can't be written: " + refused.getMessage()));
      repair(refused);
      return;
    }
    // The copy is safe: a queue that has dead letters of its own may keep another one (F40).
    inbox.nack(held.tag, false);
    release(held);
    forget(held); // not earlier: who dies in between must not begin to count anew
  }

  private void release(HeldMessage held) {
    inbox.release(held);
    open.decrementAndGet();
  }

  private void forget(HeldMessage held) {
    if (!held.redelivered && held.attempts <= 1) return; // it never failed
    try {
      attempts.forget(identity(held));
    } catch (RuntimeException unreachable) {
      MessageConsumer.log.debug("a count of attempts stays: {}", unreachable.getMessage());
    }
  }

  // Whoever publishes the same bytes with another id means another message.
  private static String identity(HeldMessage held) {
    var id = held.properties.getMessageId();
    return Digest.sha256().add(id == null ? "" : id).add(held.body).hex(16);
  }

  private void keep(HeldMessage held, Duration pause) {
    lock.lock();
    try {
      held.notBefore = System.nanoTime() + pause.toNanos();
      waiting.add(held);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  // Too many of them would leave no room for others: then the first goes back early.
  @Override
  void settleDue(Duration most) {
    HeldMessage due = null;
    lock.lock();
    try {
      var first = waiting.peek();
      if (first == null) await(most.toNanos());
      else if (waiting.size() > mostWaiting || first.notBefore - System.nanoTime() <= 0) {
        due = waiting.poll();
      } else await(Math.min(most.toNanos(), first.notBefore - System.nanoTime()));
    } finally {
      lock.unlock();
    }
    if (due != null) requeue(due);
  }

  private void requeue(HeldMessage due) {
    try {
      meters.retried.increment();
      inbox.nack(due.tag, true);
      release(due);
    } catch (AmqpException gone) {
      MessageConsumer.log.debug("the broker has it again already: {}", gone.getMessage());
    }
  }

  // With the lock; whoever calls looks again.
  @SuppressWarnings("WaitNotInLoop")
  private void await(long nanos) {
    try {
      if (nanos > 0 && !stopping) changed.awaitNanos(nanos);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  void stop() {
    stopping = true;
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  // Perhaps somebody else has what did not work here.
  @Override
  @Nullable String trouble() {
    return outage.isOver(LAPSE) ? null : outage.why();
  }

  @Override
  int unsettled() {
    return open.get();
  }
}
