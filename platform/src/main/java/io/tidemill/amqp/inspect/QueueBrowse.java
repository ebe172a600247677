package io.tidemill.amqp.inspect;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import io.tidemill.amqp.AmqpConnection;
import io.tidemill.amqp.AmqpException;
import io.tidemill.amqp.ByteGate;
import io.tidemill.amqp.HeldMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Takes messages from the head of a queue and gives back those that were not settled when it
/// closes. Consumers do not get them meanwhile.
///
/// It prefetches in growing portions that fit into [#ROOM]. Fetching one by one is many times
/// slower, and in Broker-J each costs more than the one before.
///
/// Used by one thread.
final class QueueBrowse implements AutoCloseable {
  /// Memory for bodies that have arrived and were not read.
  static final long ROOM = 16L * 1024 * 1024;

  /// No limit on the number of messages.
  static final int ALL = Integer.MAX_VALUE;

  private static final int FIRST = 8;
  private static final int MOST = 1_000;
  private static final int GROWTH = 4;

  // After this silence the rest of the queue must be held by consumers.
  private static final Duration SILENCE = Duration.ofSeconds(2);
  private static final Duration TICK = Duration.ofMillis(100);
  private static final Duration PAUSE = Duration.ofMillis(5);

  private final AmqpConnection connection;
  private final ByteGate gate;
  private final String queue;
  private final Channel questions;
  private final List<Prefetch> prefetches = new ArrayList<>();
  private final BlockingQueue<HeldMessage> arrived = new LinkedBlockingQueue<>();
  private final long total;
  private final int most;
  private boolean closing;
  private int portion = FIRST / GROWTH;
  private int asked;
  private int taken;
  private int settled;
  private long bytes;
  private long tag;

  /// @param gate of the connection
  /// @param most messages taken at most, or [#ALL]
  /// @throws AmqpException when the broker does not answer
  QueueBrowse(AmqpConnection connection, ByteGate gate, String queue, int most) {
    this.connection = connection;
    this.gate = gate;
    this.queue = queue;
    this.most = most;
    questions = connection.channel();
    try {
      total = depth();
    } catch (IOException | ShutdownSignalException refused) {
      throw failed(refused);
    }
  }

  private long depth() throws IOException {
    try {
      return questions.queueDeclarePassive(queue).getMessageCount();
    } catch (IOException refused) {
      if (AmqpException.isMissing(refused)) return 0; // with this the channel ends
      throw refused;
    }
  }

  /// Messages in the queue at the start; 0 when there is no such queue.
  long total() {
    return total;
  }

  int taken() {
    return taken;
  }

  /// Bytes of the bodies taken.
  long bytes() {
    return bytes;
  }

  /// The next message; null when there is none, or consumers hold the rest.
  @Nullable HeldMessage next() {
    if (taken >= Math.min(total, most)) return null; // later arrivals do not count
    try {
      if (taken == asked) prefetchMore();
      var next = arrival();
      if (next == null) return null;
      gate.release(next.body.length);
      taken++;
      bytes += next.body.length;
      tag = next.tag;
      return next;
    } catch (IOException | ShutdownSignalException gone) {
      throw failed(gone);
    }
  }

  // A consumer gets at most its channel's prefetch count. The next consumer has another channel and
  // starts when the previous one is full, which keeps the order.
  private void prefetchMore() throws IOException {
    portion = Math.min(portion * GROWTH, MOST);
    var fits = taken == 0 ? portion : ROOM / Math.max(1, bytes / taken);
    var left = Math.min(total, most) - taken;
    var count = Math.clamp(Math.min(fits, left), 1, portion);
    var prefetch = new Prefetch(connection.channel());
    prefetches.add(prefetch);
    prefetch.getChannel().basicQos(count);
    prefetch.getChannel().basicConsume(queue, false, prefetch);
    asked += count;
  }

  private @Nullable HeldMessage arrival() throws IOException {
    var silentAt = System.nanoTime() + SILENCE.toNanos();
    try {
      while (true) {
        var next = arrived.poll(TICK.toMillis(), TimeUnit.MILLISECONDS);
        if (next != null) return next;
        if (!prefetches.getLast().getChannel().isOpen()) throw new IOException("the channel ended");
        if (System.nanoTime() - silentAt > 0) return null;
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", stopped);
    }
  }

  private final class Prefetch extends DefaultConsumer {
    private final Set<Long> unsettled = new ConcurrentSkipListSet<>();

    Prefetch(Channel channel) {
      super(channel);
    }

    @Override
    public void handleDelivery(
        String consumer, Envelope envelope, BasicProperties properties, byte[] body) {
      unsettled.add(envelope.getDeliveryTag());
      synchronized (arrived) {
        if (closing) return;
        gate.hold(body.length);
        arrived.add(
            new HeldMessage(envelope.getDeliveryTag(), envelope.isRedeliver(), properties, body));
      }
    }

    void settle(long tag) throws IOException {
      getChannel().basicAck(tag, false);
      unsettled.remove(tag);
    }

    // Quorum queues count a closed channel as a failed delivery, but not a nack. A multiple nack
    // only for RabbitMQ, which is slow otherwise: Broker-J does not requeue on it.
    void giveBack() throws IOException, TimeoutException {
      if (connection.isRabbitMq()) getChannel().basicNack(0, true, true);
      else for (var tag : unsettled) getChannel().basicNack(tag, false, true);
      getChannel().close();
    }
  }

  /// Removes the last message from the queue, and gives back the others.
  void settle() {
    try {
      prefetches.getLast().settle(tag);
      settled++;
      giveBack(); // an ack has no answer, closing a channel has
    } catch (IOException | TimeoutException | ShutdownSignalException gone) {
      throw failed(gone);
    }
  }

  private void giveBack() throws IOException, TimeoutException {
    dropArrived();
    for (var prefetch : prefetches) prefetch.getChannel().basicCancel(prefetch.getConsumerTag());
    for (var prefetch : prefetches) prefetch.giveBack();
    if (most == ALL && !prefetches.isEmpty()) awaitRequeued();
    prefetches.clear();
    if (questions.isOpen()) questions.close();
  }

  // RabbitMQ answers before all messages are requeued: the next browse would miss some. A peek at
  // a busy queue does not wait, because its consumers take messages meanwhile.
  private void awaitRequeued() throws IOException {
    var over = System.nanoTime() + SILENCE.toNanos();
    try {
      while (depth() < total - settled && System.nanoTime() - over < 0) Thread.sleep(PAUSE);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  // Deliveries in flight must not keep the gate shut.
  private void dropArrived() {
    synchronized (arrived) {
      closing = true;
      for (var left = arrived.poll(); left != null; left = arrived.poll()) {
        gate.release(left.body.length);
      }
    }
  }

  private AmqpException failed(Exception cause) {
    connection.close(); // the broker requeues everything
    return new AmqpException("amqp: " + queue + ": " + AmqpException.describe(cause), cause);
  }

  /// Returns when the broker has requeued everything.
  @Override
  public void close() {
    try {
      giveBack();
    } catch (IOException | TimeoutException | ShutdownSignalException gone) {
      connection.close();
    }
  }
}
