package io.tidemill.flow;

import io.tidemill.broker.kafka.Published;
import io.tidemill.contract.Json;
import io.tidemill.contract.flow.FlowCodec;
import io.tidemill.contract.flow.FlowEvent;
import io.tidemill.contract.flow.FlowKind;
import io.tidemill.contract.flow.FlowMessage;
import io.tidemill.contract.flow.FlowNames;
import io.tidemill.contract.flow.FlowRecords;
import io.tidemill.contract.flow.FlowTime;
import io.tidemill.observe.TraceParent;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Publishes `created` events, made from nothing but the record: whoever does it again publishes
/// the same event (F07).
public final class CreatedEvents {
  /// Fields of the record that its event is made of, beside those of the contract.
  public static final String EVENT_ID = "eventId";

  public static final String EVENT_AT = "eventAt";
  public static final String TRACEPARENT = "traceparent";
  public static final String CORRELATION_ID = "correlationId";

  private final FlowPublisher publisher;

  public CreatedEvents(FlowPublisher publisher) {
    this.publisher = publisher;
  }

  /// Returns when the broker has the event; throws a [KafkaException] when it does not take it.
  public Published publish(FlowKind kind, Map<String, String> record) {
    var created = of(kind, record);
    var at =
        FlowTime.decode(record.getOrDefault(EVENT_AT, ""))
            .or(() -> FlowTime.decode(record.getOrDefault("createdAt", "")))
            .orElseThrow();
    var eventId = record.getOrDefault(EVENT_ID, "");
    var message =
        new FlowMessage(
            eventId.isEmpty() ? FlowNames.newEventId() : eventId, at, created, metadata(record));
    var partition = record.getOrDefault("partition", "");
    return publisher.publish(
        kind,
        created.id(),
        FlowCodec.encode(message),
        at,
        created.type(),
        record.get(TRACEPARENT),
        partition.isEmpty() ? FlowPublisher.BY_KEY : Integer.parseInt(partition),
        false);
  }

  /// The event that a record began with.
  public static FlowEvent of(FlowKind kind, Map<String, String> record) {
    return switch (kind) {
      case WORKFLOW -> FlowRecords.workflowCreated(record);
      case TASK -> FlowRecords.taskCreated(record);
    };
  }

  private static ObjectNode metadata(Map<String, String> record) {
    var metadata = metadata();
    var trace = record.get(TRACEPARENT);
    TraceParent.parse(trace).ifPresent(parsed -> metadata.put("traceId", parsed.traceId()));
    put(metadata, CORRELATION_ID, record.get(CORRELATION_ID));
    return metadata;
  }

  private static void put(ObjectNode metadata, String name, @Nullable String value) {
    if (value != null) metadata.put(name, value);
  }

  /// What the gateway says of itself on every event.
  public static ObjectNode metadata() {
    return Json.object()
        .put("source", FlowNames.GATEWAY)
        .putNull("userId")
        .put("apiVersion", FlowNames.VERSION);
  }
}
