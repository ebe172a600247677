package io.tidemill.broker.amqp;

import java.util.List;

/// Does the work of a batch of deliveries.
@FunctionalInterface
public interface BatchHandler {
  /// Returns one settlement for each delivery, in the same order.
  ///
  /// It may see a delivery again, alone or with others: after a [Settlement.Retry], when it threw,
  /// or when the broker did not hear of its end. It is never interrupted.
  List<Settlement> handle(List<Delivery> batch);
}
