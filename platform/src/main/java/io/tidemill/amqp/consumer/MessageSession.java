package io.tidemill.amqp.consumer;

import io.tidemill.amqp.AmqpException;
import io.tidemill.amqp.HeldMessage;
import io.tidemill.amqp.QueueDeclaration;
import io.tidemill.content.fingerprint.Digest;
import io.tidemill.observe.LogContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// What an [MessageConsumer] does on one channel, from its first delivery to its end: tags never
/// leave it (F43).
final class MessageSession {
  // Short enough that a stop is noticed.
  private static final Duration WAIT = Duration.ofMillis(200);
  private static final Duration LAPSE = Duration.ofMinutes(1);
  private static final int MOST_PUT_OFF = 1_000;

  private final MessagePlan plan;
  private final DeliveryBuffer inbox;
  private final MessageHandler handler;
  private final AttemptCounts attempts;
  private final DeadMessagePublisher dead;
  private final ConsumerMeters meters;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // Those that failed, until they may go back to the queue.
  private final PriorityQueue<HeldMessage> waiting =
      new PriorityQueue<>((one, other) -> Long.signum(one.notBefore - other.notBefore));
  private volatile boolean stopping;
  private volatile @Nullable String trouble;
  private int failuresOfAll;
  private volatile long nothingBefore = System.nanoTime();
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

  MessageSession(
      MessagePlan plan,
      DeliveryBuffer inbox,
      MessageHandler handler,
      AttemptCounts attempts,
      DeadMessagePublisher dead,
      ConsumerMeters meters) {
    this.plan = plan;
    this.inbox = inbox;
    this.handler = handler;
    this.attempts = attempts;
    this.dead = dead;
    this.meters = meters;
  }

  /// Until the channel ends, or [#stop].
  void run() {
    var workers = new ArrayList<Thread>();
    for (var i = 1; i <= plan.parallel(); i++) {
      workers.add(Thread.ofPlatform().daemon().name(plan.queue() + "-" + i).start(this::work));
    }
    while (goesOn()) giveBack();
    for (var worker : workers) join(worker);
  }

  void stop() {
    stopping = true;
    signal();
  }

  /// Why nothing gets through; null when something does.
  @Nullable String trouble() {
    if (!inbox.isOpen()) return inbox.trouble();
    // Perhaps somebody else has what did not work here.
    var isOld = System.nanoTime() - nothingBefore > LAPSE.toNanos();
    return isOld ? null : trouble;
  }

  private boolean goesOn() {
    return !stopping && inbox.isOpen();
  }

  private void work() {
    while (goesOn()) {
      try {
        if (awaitBetterTimes()) inbox.take(1, WAIT).forEach(this::handle);
      } catch (AmqpException gone) {
        // The broker delivers again.
        MessageConsumer.log.debug("{}: {}", plan.queue(), gone.getMessage());
      } catch (RuntimeException | Error unexpected) {
        MessageConsumer.log.error("a message of {} could not be settled", plan.queue(), unexpected);
        // On this channel nobody would do it any more. When it ends, the broker delivers again.
        inbox.giveUp("a message could not be settled: " + unexpected);
      }
    }
  }

  // While nothing works there is no point in taking anything.
  private boolean awaitBetterTimes() {
    lock.lock();
    try {
      var left = nothingBefore - System.nanoTime();
      if (left <= 0) return true;
      await(left);
      return false;
    } finally {
      lock.unlock();
    }
  }

  private void handle(HeldMessage held) {
    meters.delivered.increment();
    if (held.redelivered) meters.redelivered.increment();
    try (var context = LogContext.open()) {
      settle(held, verdict(held, context));
    }
  }

  private void settle(HeldMessage held, Verdict verdict) {
    // Who is told to stop may fail because of that: the message goes back as it was.
    if (stopping && !(verdict instanceof Verdict.Done)) return;
    if (!(verdict instanceof Verdict.Later)) getsThrough();
    switch (verdict) {
      case Verdict.Done _ -> {
        done.incrementAndGet();
        meters.acknowledged.increment();
        inbox.ack(held.tag, false);
        inbox.release(held);
        forget(held);
      }
      case Verdict.Again(var why) -> again(held, why);
      case Verdict.Later(var why) -> later(held, why);
      case Verdict.Never(var why) -> bury(held, why);
    }
  }

  private Verdict verdict(HeldMessage held, LogContext context) {
    try {
      return handler.handle(held.deliver(), context);
    } catch (RuntimeException | Error unexpected) {
      MessageConsumer.log.error("a message of {} failed", plan.queue(), unexpected);
      return new Verdict.Again("unexpected: " + unexpected);
    } finally {
      var _ = Thread.interrupted(); // whoever hurried the handler did not mean the next message
    }
  }

  private void again(HeldMessage held, String why) {
    int failures;
    try {
      failures = attempts.failed(identity(held));
    } catch (RuntimeException uncounted) {
      keep(held, noteThatNothingWorks("attempts can't be counted: " + uncounted.getMessage()));
      return;
    }
    held.attempts = failures;
    if (failures >= plan.tries()) {
      bury(held, "failed %d times: %s".formatted(failures, why));
      return;
    }
    var pause = plan.backoff().after(failures, ThreadLocalRandom.current());
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
  private void later(HeldMessage held, String why) {
    var before = putOff.put(identity(held), done.get());
    if (before != null && done.get() > before) {
      again(held, why);
      return;
    }
    var pause = noteThatNothingWorks(why);
    keep(held, pause);
  }

  private Duration noteThatNothingWorks(String why) {
    lock.lock();
    try {
      if (trouble == null) {
        MessageConsumer.log.warn("{} waits: {}", plan.queue(), why);
      }
      trouble = why;
      // Those who meet the same trouble at the same time count once.
      if (nothingBefore - System.nanoTime() <= 0) failuresOfAll++;
      var pause = plan.backoff().after(failuresOfAll, ThreadLocalRandom.current());
      nothingBefore = System.nanoTime() + pause.toNanos();
      return pause;
    } finally {
      lock.unlock();
    }
  }

  private void getsThrough() {
    lock.lock();
    try {
      if (trouble != null) MessageConsumer.log.info("{} goes on", plan.queue());
      trouble = null;
      failuresOfAll = 0;
    } finally {
      lock.unlock();
    }
  }

  private void bury(HeldMessage held, String why) {
    try {
      dead.publish(held, why);
    } catch (AmqpException refused) {
      keep(
          held, noteThatNothingWorks("the dead letters can't be written: " + refused.getMessage()));
      if (refused.isUnroutable()) QueueDeclaration.require(inbox.link(), List.of(plan.dead()));
      return;
    }
    MessageConsumer.log.warn("a message of {} went to {}: {}", plan.queue(), plan.dead(), why);
    meters.died.increment();
    // The copy is safe: a queue that has dead letters of its own may keep another one (F40).
    inbox.nack(held.tag, false);
    inbox.release(held);
    forget(held); // not earlier: who dies in between must not begin to count anew
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
    var digest = Digest.sha256();
    var id = held.properties.getMessageId();
    if (id != null) digest.add(id);
    return digest.add(held.body).hex(16);
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
  private void giveBack() {
    HeldMessage due = null;
    lock.lock();
    try {
      var first = waiting.peek();
      if (first == null) await(WAIT.toNanos());
      else if (waiting.size() > plan.waiting() || first.notBefore - System.nanoTime() <= 0) {
        due = waiting.poll();
      } else await(Math.min(WAIT.toNanos(), first.notBefore - System.nanoTime()));
    } finally {
      lock.unlock();
    }
    if (due != null) requeue(due);
  }

  private void requeue(HeldMessage due) {
    try {
      meters.requeued.increment();
      inbox.nack(due.tag, true);
      inbox.release(due);
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

  private void signal() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private static void join(Thread worker) {
    try {
      worker.join();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
