package io.tidemill.workflow;

import io.tidemill.contract.workflow.ExecutionEvent.WorkflowCreated;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.kafka.KafkaException;
import io.tidemill.observe.TraceParent;
import io.tidemill.observe.Traces;
import io.tidemill.redis.RedisException;
import io.tidemill.workflow.ExecutionStore.Created;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Starts workflows under ids that the caller chooses: first the record, then the event (C2.4). The
/// same id again starts no second one, however often and by whom it is repeated.
public final class WorkflowStarts {
  private static final Logger log = LoggerFactory.getLogger(WorkflowStarts.class);

  private final ExecutionStore store;
  private final CreatedEventPublisher events;

  public WorkflowStarts(ExecutionStore store, CreatedEventPublisher events) {
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
    if (earlier.filter(WorkflowStarts::isUnderWay).isPresent()) return new Created.Known(id, "");
    var flow = NewExecution.of(created, origin());
    if (store.create(flow, null, "") instanceof Created.Full full) return full;
    // From the record: whoever publishes it again publishes the same event (F07).
    var record = store.find(id).orElse(flow.fields());
    var there = events.publish(ExecutionKind.WORKFLOW, record);
    published(id, there.partition(), there.offset());
    return new Created.New();
  }

  private static boolean isUnderWay(Map<String, String> record) {
    return record.containsKey("partition")
        || !record.getOrDefault("status", "").equals(ExecutionStatus.PENDING.wire());
  }

  private static Map<String, String> origin() {
    var fields = new LinkedHashMap<String, String>();
    fields.put(CreatedEventPublisher.EVENT_ID, ExecutionNames.newEventId());
    Traces.current()
        .map(TraceParent::toString)
        .ifPresent(trace -> fields.put(CreatedEventPublisher.TRACEPARENT, trace));
    return fields;
  }

  // If this is lost a gateway publishes once more, and the processors know the id.
  private void published(String id, int partition, long offset) {
    try {
      store.published(id, partition, offset);
    } catch (RedisException silent) {
      log.debug("{} will be published again: {}", id, silent.getMessage());
    }
  }
}
