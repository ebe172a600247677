package io.tidemill.amqp.consumer;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Consumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import io.tidemill.amqp.AmqpConfig;
import io.tidemill.amqp.AmqpConnection;
import io.tidemill.amqp.AmqpException;
import io.tidemill.amqp.ByteGate;
import io.tidemill.amqp.HeldMessage;
import io.tidemill.amqp.Topology;
import io.tidemill.config.Renaming;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// What the broker has delivered on one channel and nobody has taken yet.
final class DeliveryBuffer implements Consumer, AutoCloseable {
  // When nothing more comes for so long, what is there goes: a trickle need not wait.
  private static final Duration IDLE = Duration.ofMillis(20);

  private final MessagePlan plan;
  private final Renaming names;
  private final ByteGate gate;
  private final AmqpConnection link;
  private final Channel channel;
  private final BlockingQueue<HeldMessage> deliveries = new LinkedBlockingQueue<>();
  private volatile @Nullable String ended;

  private DeliveryBuffer(MessagePlan plan, Renaming names, ByteGate gate, AmqpConnection link) {
    this.plan = plan;
    this.names = names;
    this.gate = gate;
    this.link = link;
    channel = link.channel();
  }

  /// @param prefetch deliveries that may be under way or unsettled at once
  static DeliveryBuffer open(AmqpConfig config, MessagePlan plan, int prefetch) {
    var gate = new ByteGate(plan.batch().bytes().bytes());
    var names = config.queueNames();
    var link = AmqpConnection.open(config, "tidemill-" + plan.queue(), gate);
    try {
      var inbox = new DeliveryBuffer(plan, names, gate, link);
      inbox.requireQueues(plan.queue(), plan.dead());
      inbox.channel.basicQos(prefetch);
      inbox.channel.basicConsume(names.name(plan.queue()), false, inbox);
      return inbox;
    } catch (IOException | RuntimeException refused) {
      link.close();
      throw new AmqpException(
          "amqp: queue " + plan.queue() + ": " + AmqpException.describe(refused), refused);
    }
  }

  /// Takes up to that many deliveries, those of one moment together.
  ///
  /// @param wait how long to wait for the first one
  List<HeldMessage> take(int most, Duration wait) {
    var batch = new ArrayList<HeldMessage>();
    try {
      var next = deliveries.poll(wait.toNanos(), TimeUnit.NANOSECONDS);
      var began = System.nanoTime();
      var bytes = 0L;
      while (next != null) {
        batch.add(next);
        bytes += next.body.length;
        if (batch.size() >= most || bytes >= plan.batch().bytes().bytes() / 2) break;
        next = deliveries.poll(patience(began), TimeUnit.NANOSECONDS);
      }
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
    return batch;
  }

  private long patience(long began) {
    if (gate.isShut()) return 0; // nothing more can come before this is settled
    var left = plan.batch().linger().toNanos() - (System.nanoTime() - began);
    return Math.max(0, Math.min(left, IDLE.toNanos()));
  }

  /// @throws AmqpException when the channel is gone: then the broker delivers again
  void ack(long tag, boolean andAllBefore) {
    try {
      channel.basicAck(tag, andAllBefore);
    } catch (IOException | RuntimeException gone) {
      throw ended(gone);
    }
  }

  /// @throws AmqpException when the channel is gone: then the broker delivers again
  void nack(long tag, boolean requeue) {
    try {
      channel.basicNack(tag, false, requeue);
    } catch (IOException | RuntimeException gone) {
      throw ended(gone);
    }
  }

  private AmqpException ended(Exception gone) {
    var why = AmqpException.describe(gone);
    giveUp(why);
    return new AmqpException("amqp: " + why, gone);
  }

  /// Nothing more is to be done here; what is not settled goes back to the queue at the close.
  void giveUp(String why) {
    if (ended == null) ended = why;
    gate.openForGood(); // while it is shut nobody reads, and nobody would hear of the end
  }

  void release(HeldMessage settled) {
    gate.release(settled.body.length);
  }

  boolean isOpen() {
    return ended == null && channel.isOpen();
  }

  String trouble() {
    var why = ended;
    return why == null ? "the channel was closed" : why;
  }

  /// Declares queues that are missing.
  void requireQueues(String... queues) {
    Topology.requireQueues(link, names.names(List.of(queues)));
  }

  @Override
  public void handleDelivery(
      String consumer, Envelope envelope, BasicProperties properties, byte[] body) {
    gate.hold(body.length);
    deliveries.add(
        new HeldMessage(envelope.getDeliveryTag(), envelope.isRedeliver(), properties, body));
  }

  @Override
  public void handleCancel(String consumer) {
    ended = "the queue was deleted";
  }

  @Override
  public void handleShutdownSignal(String consumer, ShutdownSignalException cause) {
    ended = AmqpException.describe(cause);
  }

  @Override
  public void handleConsumeOk(String consumer) {}

  @Override
  public void handleCancelOk(String consumer) {}

  @Override
  public void handleRecoverOk(String consumer) {}

  /// What is not settled goes back to the queue.
  @Override
  public void close() {
    gate.openForGood();
    link.close();
  }
}
