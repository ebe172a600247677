package io.tidemill.amqp;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.Return;
import com.rabbitmq.client.ReturnCallback;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The messages of one channel that the broker has not answered for yet.
///
/// What no queue takes comes back: from RabbitMQ before its ack, from Broker-J behind its nack
/// (F35).
final class PublisherConfirms implements ConfirmListener, ReturnCallback {
  private static final long GRACE = Duration.ofMillis(200).toNanos();

  private final ConcurrentNavigableMap<Long, PendingConfirm> outstanding =
      new ConcurrentSkipListMap<>();
  private final Queue<PendingConfirm> refused = new ConcurrentLinkedQueue<>();
  private volatile @Nullable AmqpException lost;

  /// Before the message is written: its answer may be faster than the writer.
  void sending(long number, PendingConfirm message) {
    outstanding.put(number, message);
    var gone = lost;
    if (gone != null && outstanding.remove(number) != null) message.fail(gone);
  }

  @Override
  public void handleAck(long number, boolean multiple) {
    if (multiple) takeUpTo(number, PublisherConfirms::acknowledged);
    else take(number, PublisherConfirms::acknowledged);
  }

  @Override
  public void handleNack(long number, boolean multiple) {
    if (multiple) takeUpTo(number, this::refused);
    else take(number, this::refused);
  }

  private static void acknowledged(PendingConfirm message) {
    if (message.returned) message.failUnroutable();
    else message.succeed();
  }

  private void refused(PendingConfirm message) {
    message.refusedAt = System.nanoTime();
    if (message.returned) message.failUnroutable();
    else refused.add(message);
  }

  private void take(long number, Consumer<PendingConfirm> end) {
    var message = outstanding.remove(number);
    if (message != null) end.accept(message);
  }

  private void takeUpTo(long number, Consumer<PendingConfirm> end) {
    for (var first = outstanding.firstEntry();
        first != null && first.getKey() <= number;
        first = outstanding.firstEntry()) {
      take(first.getKey(), end);
    }
  }

  @Override
  public void handle(Return back) {
    returned(back.getExchange(), back.getRoutingKey(), back.getProperties(), back.getBody());
  }

  void returned(String exchange, String key, BasicProperties properties, byte[] body) {
    for (var message : refused) {
      if (!message.isOver() && message.equals(exchange, key, properties, body)) {
        message.failUnroutable();
        refused.remove(message);
        return;
      }
    }
    for (var message : outstanding.values()) {
      if (!message.returned && message.equals(exchange, key, properties, body)) {
        message.returned = true;
        return;
      }
    }
  }

  /// Gives up what the broker refused and did not send back.
  void sweep(long now) {
    for (var first = refused.peek();
        first != null && now - first.refusedAt > GRACE;
        first = refused.peek()) {
      first.fail(new AmqpException("the broker refused the message", null));
      refused.remove(first);
    }
  }

  /// Fails those whose time is up, and says whether there were any; their answers may still come.
  boolean expire(long now, Supplier<AmqpException> why) {
    var any = false;
    for (var message : outstanding.values()) {
      if (!message.isLate(now)) break;
      any |= !message.isOver();
      message.fail(why.get());
    }
    return any;
  }

  /// Nobody answers any more. Whether the broker has them is not known.
  void lose(AmqpException why) {
    lost = why;
    takeUpTo(Long.MAX_VALUE, message -> message.fail(named(message, why)));
    for (var message = refused.poll(); message != null; message = refused.poll()) {
      message.fail(why);
    }
  }

  // Publishing to a missing exchange closes the channel, also for all other messages on it.
  private static AmqpException named(PendingConfirm message, AmqpException why) {
    var isMissing = AmqpException.isMissing(why) && why.names(message.exchange);
    return isMissing
        ? new AmqpException(AmqpException.Kind.UNROUTABLE, String.valueOf(why.getMessage()), why)
        : why;
  }
}
