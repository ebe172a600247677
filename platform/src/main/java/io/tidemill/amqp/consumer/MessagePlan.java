package io.tidemill.amqp.consumer;

import io.tidemill.amqp.Topology;
import io.tidemill.config.ByteSize;
import io.tidemill.work.Backoff;

/// What an [MessageConsumer] reads, and how.
///
/// @param bound the queue, and what brings messages into it
/// @param dead the queue for what can never be handled
/// @param parallel messages that are handled at once
/// @param waiting messages that may wait for another try without holding up others; the broker
///   counts the time that we have a message from its delivery on, so not many are taken ahead (F42)
/// @param tries of a message that fails
/// @param backoff between its tries
public record MessagePlan(
    Topology.Bound bound, String dead, int parallel, int waiting, int tries, Backoff backoff) {
  private static final ByteSize BYTES = ByteSize.ofMib(32);

  public MessagePlan {
    if (parallel < 1) throw new IllegalArgumentException("parallel is " + parallel);
    if (waiting < 1) throw new IllegalArgumentException("waiting is " + waiting);
    if (tries < 1) throw new IllegalArgumentException("tries is " + tries);
  }

  String queue() {
    return bound.queue();
  }

  int prefetch() {
    return 2 * parallel + waiting;
  }

  BatchPlan batches() {
    var plan = BatchPlan.of(queue(), dead);
    return new BatchPlan(
        plan.queue(), plan.dead(), 1, plan.linger(), BYTES, tries, backoff, plan.holdAtMost());
  }
}
