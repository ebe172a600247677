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

/// One look into a queue, from its head on: whatever it took and did not settle is back in its
/// place when the look ends. Nobody else gets it meanwhile.
///
/// It takes some at a time, each time more, and never more than fit into its bytes. Asking for them
/// one by one is many times slower, and in Broker-J each costs more than the one before.
///
/// Used by one thread.
final class QueueBrowse implements AutoCloseable {
  /// Memory for bodies that have arrived and were not looked at.
  static final long ROOM = 16L * 1024 * 1024;

  private static final int FIRST = 8;
  private static final int MOST = 1_000;
  private static final int GROWTH = 4;

  // So long a broker may be silent before what it still has must be in other hands.
  private static final Duration SILENCE = Duration.ofSeconds(2);
  private static final Duration TICK = Duration.ofMillis(100);
  private static final Duration PAUSE = Duration.ofMillis(5);

  private final AmqpConnection link;
  private final ByteGate gate;
  private final String queue;
  private final Channel questions;
  private final List<Taker> takers = new ArrayList<>();
  private final BlockingQueue<HeldMessage> arrived = new LinkedBlockingQueue<>();
  private final long total;
  private final long most;
  private final boolean waits;
  private boolean closing;
  private int portion = FIRST / GROWTH;
  private int asked;
  private int taken;
  private int settled;
  private long bytes;
  private long tag;

  /// @param gate the link's
  /// @throws AmqpException when the broker does not answer
  QueueBrowse(AmqpConnection link, ByteGate gate, String queue) {
    this(link, gate, queue, Long.MAX_VALUE, true);
  }

  /// Takes only so many, and does not wait for what others take out meanwhile.
  static QueueBrowse brief(AmqpConnection link, ByteGate gate, String queue, int most) {
    return new QueueBrowse(link, gate, queue, most, false);
  }

  private QueueBrowse(AmqpConnection link, ByteGate gate, String queue, long most, boolean waits) {
    this.link = link;
    this.gate = gate;
    this.queue = queue;
    this.most = most;
    this.waits = waits;
    questions = link.channel();
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

  /// How many were there at the start; 0 when there is no such queue.
  long total() {
    return total;
  }

  int taken() {
    return taken;
  }

  /// What was taken, in bytes of bodies.
  long bytes() {
    return bytes;
  }

  /// The next one; null when there is none, or others have the rest.
  @Nullable HeldMessage next() {
    if (taken >= Math.min(total, most)) return null; // what comes later was not there
    try {
      if (taken == asked) askForMore();
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

  // A consumer gets no more than its channel may have unsettled. The next one has another channel,
  // and begins when the one before is full: so they come in their order.
  private void askForMore() throws IOException {
    portion = Math.min(portion * GROWTH, MOST);
    var fits = taken == 0 ? portion : ROOM / Math.max(1, bytes / taken);
    var left = Math.min(total, most) - taken;
    var count = Math.clamp(Math.min(fits, left), 1, portion);
    var taker = new Taker(link.channel());
    takers.add(taker);
    taker.getChannel().basicQos(count);
    taker.getChannel().basicConsume(queue, false, taker);
    asked += count;
  }

  private @Nullable HeldMessage arrival() throws IOException {
    var silentAt = System.nanoTime() + SILENCE.toNanos();
    try {
      while (true) {
        var next = arrived.poll(TICK.toMillis(), TimeUnit.MILLISECONDS);
        if (next != null) return next;
        if (!takers.getLast().getChannel().isOpen()) throw new IOException("the channel ended");
        if (System.nanoTime() - silentAt > 0) return null;
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", stopped);
    }
  }

  private final class Taker extends DefaultConsumer {
    private final Set<Long> unsettled = new ConcurrentSkipListSet<>();

    Taker(Channel channel) {
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

    // To quorum queues a channel that just ends is a failure of the messages, and this is not. In
    // one word only to RabbitMQ, which is slow otherwise: Broker-J gives back none of several.
    void giveBack() throws IOException, TimeoutException {
      if (link.isRabbitMq()) getChannel().basicNack(0, true, true);
      else for (var tag : unsettled) getChannel().basicNack(tag, false, true);
      getChannel().close();
    }
  }

  /// Takes the one that came last out of the queue for good, and ends the look.
  void settle() {
    try {
      takers.getLast().settle(tag);
      settled++;
      giveBack(); // an ack has no answer, this has
    } catch (IOException | TimeoutException | ShutdownSignalException gone) {
      throw failed(gone);
    }
  }

  private void giveBack() throws IOException, TimeoutException {
    forget();
    for (var taker : takers) taker.getChannel().basicCancel(taker.getConsumerTag());
    for (var taker : takers) taker.giveBack();
    if (waits && !takers.isEmpty()) awaitAll();
    takers.clear();
    if (questions.isOpen()) questions.close();
  }

  // RabbitMQ answers before everything is back in its place: who looks next would miss some.
  private void awaitAll() throws IOException {
    var over = System.nanoTime() + SILENCE.toNanos();
    try {
      while (depth() < total - settled && System.nanoTime() - over < 0) Thread.sleep(PAUSE);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  // What is still under way must not shut the gate.
  private void forget() {
    synchronized (arrived) {
      closing = true;
      for (var left = arrived.poll(); left != null; left = arrived.poll()) {
        gate.release(left.body.length);
      }
    }
  }

  private AmqpException failed(Exception cause) {
    link.close(); // then the broker takes everything back too
    return new AmqpException("amqp: " + queue + ": " + AmqpException.describe(cause), cause);
  }

  /// Returns when the broker has taken everything back.
  @Override
  public void close() {
    try {
      giveBack();
    } catch (IOException | TimeoutException | ShutdownSignalException gone) {
      link.close();
    }
  }
}
