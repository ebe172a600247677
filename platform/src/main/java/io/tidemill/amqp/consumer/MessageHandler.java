package io.tidemill.amqp.consumer;

import io.tidemill.amqp.AmqpDelivery;
import io.tidemill.observe.LogContext;
import io.tidemill.work.Settlement;
import java.util.List;

/// Does the work of deliveries, as many at a time as the plan of its consumer says.
@FunctionalInterface
public interface MessageHandler {
  /// Returns one settlement for each delivery, in the same order.
  ///
  /// It may see a delivery again, alone or with others: after a [Settlement.Retry] or a
  /// [Settlement.Defer], when it threw, or when the broker did not hear of its end. It may be
  /// called by several threads at once, and is never interrupted.
  ///
  /// @param context what it adds is on every log line until these are settled
  List<Settlement> handle(List<AmqpDelivery> batch, LogContext context);
}
