package io.tidemill.amqp.consumer;

import io.tidemill.amqp.AmqpDelivery;
import io.tidemill.observe.LogContext;

/// Does the work of one delivery.
@FunctionalInterface
public interface MessageHandler {
  /// It may see a message again, and be called by several threads at once. It is never interrupted.
  ///
  /// @param context what it adds is on every log line until the message is settled
  Verdict handle(AmqpDelivery delivery, LogContext context);
}
