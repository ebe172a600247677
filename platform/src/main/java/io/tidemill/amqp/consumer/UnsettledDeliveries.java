package io.tidemill.amqp.consumer;

import io.tidemill.amqp.HeldMessage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/// The deliveries of one channel that were taken and not settled, and how to settle them in few
/// words.
final class UnsettledDeliveries {
  /// Tells the broker that it may forget.
  record Ack(long tag, boolean andAllBefore) {}

  private final NavigableMap<Long, Boolean> settled = new TreeMap<>();

  void take(Collection<HeldMessage> deliveries) {
    for (var delivery : deliveries) settled.putIfAbsent(delivery.tag, false);
  }

  /// One word for everything up to the first that is still open, and one for each behind it.
  List<Ack> settle(Collection<HeldMessage> done) {
    for (var delivery : done) settled.put(delivery.tag, true);
    var acks = new ArrayList<Ack>();
    var upTo = 0L;
    for (var first = settled.firstEntry();
        first != null && first.getValue();
        first = settled.firstEntry()) {
      upTo = first.getKey();
      settled.remove(upTo);
    }
    if (upTo > 0) acks.add(new Ack(upTo, true));
    for (var delivery : done) {
      if (settled.remove(delivery.tag) != null) acks.add(new Ack(delivery.tag, false));
    }
    return acks;
  }

  int size() {
    return settled.size();
  }
}
