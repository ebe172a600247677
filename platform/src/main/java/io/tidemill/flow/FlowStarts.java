package io.tidemill.flow;

import io.tidemill.broker.kafka.KafkaException;
import io.tidemill.contract.flow.FlowEvent.WorkflowCreated;
import io.tidemill.contract.flow.FlowKind;
import io.tidemill.contract.flow.FlowNames;
import io.tidemill.contract.flow.FlowStatus;
import io.tidemill.observe.TraceParent;
import io.tidemill.observe.Traces;
import io.tidemill.store.redis.FlowStore;
import io.tidemill.store.redis.FlowStore.Created;
import io.tidemill.store.redis.NewFlow;
import io.tidemill.store.redis.StoreException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Starts workflows under ids that the caller chooses: first the record, then the event (C2.4). The
/// same id again starts no second one, however often and by whom it is repeated.
public final class FlowStarts {
  private static final Logger log = LoggerFactory.getLogger(FlowStarts.class);

  private final FlowStore store;
  private final CreatedEvents events;

  public FlowStarts(FlowStore store, CreatedEvents events) {
    this.store = store;
    this.events = events;
  }

  /// Starts it, or finds that it was started.
  ///
  /// @return `New` or `Known` when it is in Kafka, `Full` when nothing was written
  /// @throws KafkaException when it is noted, but Kafka has not confirmed it: this may be repeated,
  ///   and if nobody does, a gateway publishes it
  public Created start(WorkflowCreated created) {
    var id = created.id();
    var earlier = store.find(id);
    if (earlier.filter(FlowStarts::isUnderWay).isPresent()) return new Created.Known(id, "");
    var flow = NewFlow.of(created, origin());
    if (store.create(flow, null, "") instanceof Created.Full full) return full;
    // From the record: whoever publishes it again publishes the same event (F07).
    var record = store.find(id).orElse(flow.fields());
    var there = events.publish(FlowKind.WORKFLOW, record);
    published(id, there.partition(), there.offset());
    return new Created.New();
  }

  private static boolean isUnderWay(Map<String, String> record) {
    return record.containsKey("partition")
        || !record.getOrDefault("status", "").equals(FlowStatus.PENDING.wire());
  }

  private static Map<String, String> origin() {
    var fields = new LinkedHashMap<String, String>();
    fields.put(CreatedEvents.EVENT_ID, FlowNames.newEventId());
    Traces.current()
        .map(TraceParent::toString)
        .ifPresent(trace -> fields.put(CreatedEvents.TRACEPARENT, trace));
    return fields;
  }

  // If this is lost a gateway publishes once more, and the processors know the id.
  private void published(String id, int partition, long offset) {
    try {
      store.published(id, partition, offset);
    } catch (StoreException silent) {
      log.debug("{} will be published again: {}", id, silent.getMessage());
    }
  }
}
