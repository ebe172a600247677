package io.tidemill.amqp;

import com.rabbitmq.client.AMQP.BasicProperties;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/// A message on its way to the broker, until the broker has answered for it.
final class PendingConfirm {
  final String exchange;
  final String routingKey;
  final BasicProperties properties;
  final byte[] body;
  final long deadline;
  final CompletableFuture<Void> future = new CompletableFuture<>();

  // Told whether the broker has the message.
  private final Consumer<Boolean> atEnd;
  private final AtomicBoolean ended = new AtomicBoolean();
  volatile boolean returned;
  volatile long refusedAt;

  PendingConfirm(
      String exchange,
      String routingKey,
      BasicProperties properties,
      byte[] body,
      long deadline,
      Consumer<Boolean> atEnd) {
    this.exchange = exchange;
    this.routingKey = routingKey;
    this.properties = properties;
    this.body = body;
    this.deadline = deadline;
    this.atEnd = atEnd;
  }

  boolean isLate(long now) {
    return now - deadline >= 0;
  }

  boolean isOver() {
    return ended.get();
  }

  /// Whether a message that came back may be this one. Of two equal ones either will do: both went
  /// the same way.
  boolean equals(String toExchange, String toKey, BasicProperties with, byte[] content) {
    return exchange.equals(toExchange)
        && routingKey.equals(toKey)
        && Objects.equals(properties.getMessageId(), with.getMessageId())
        && Arrays.equals(body, content);
  }

  void succeed() {
    if (!ended.compareAndSet(false, true)) return;
    atEnd.accept(true);
    future.complete(null);
  }

  void fail(AmqpException why) {
    if (!ended.compareAndSet(false, true)) return;
    atEnd.accept(false);
    future.completeExceptionally(why);
  }

  void failUnroutable() {
    var where = exchange.isEmpty() ? "queue " + routingKey : exchange + " for " + routingKey;
    fail(
        new AmqpException(
            AmqpException.Kind.UNROUTABLE, "no queue takes messages to " + where, null));
  }
}
