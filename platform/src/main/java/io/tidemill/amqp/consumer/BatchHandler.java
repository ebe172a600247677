package io.tidemill.amqp.consumer;

import io.tidemill.amqp.AmqpDelivery;
import java.util.List;

/// Does the work of a batch of deliveries.
@FunctionalInterface
public interface BatchHandler {
  /// Returns one settlement for each delivery, in the same order.
  ///
  /// It may see a delivery again, alone or with others: after a [BatchSettlement.Retry], when it
  /// threw, or when the broker did not hear of its end. It is never interrupted.
  List<BatchSettlement> handle(List<AmqpDelivery> batch);
}
