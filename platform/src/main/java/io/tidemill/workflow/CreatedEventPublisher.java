package io.tidemill.workflow;

import io.tidemill.contract.workflow.ExecutionCodec;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionMessage;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.contract.workflow.ExecutionRecords;
import io.tidemill.contract.workflow.ExecutionTime;
import io.tidemill.json.Json;
import io.tidemill.kafka.PublishedRecord;
import io.tidemill.observe.TraceParent;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Publishes `created` events, made from nothing but the record: whoever does it again publishes
/// the same event (F07).
public final class CreatedEventPublisher {
  /// Fields of the record that its event is made of, beside those of the contract.
  public static final String EVENT_ID = "eventId";

  public static final String EVENT_AT = "eventAt";
  public static final String TRACEPARENT = "traceparent";
  public static final String CORRELATION_ID = "correlationId";

  private final ExecutionPublisher publisher;

  public CreatedEventPublisher(ExecutionPublisher publisher) {
    this.publisher = publisher;
  }

  /// Returns when the broker has the event; throws a [KafkaException] when it does not take it.
  public PublishedRecord publish(ExecutionKind kind, Map<String, String> record) {
    var created = of(kind, record);
    var at =
        ExecutionTime.decode(record.getOrDefault(EVENT_AT, ""))
            .or(() -> ExecutionTime.decode(record.getOrDefault("createdAt", "")))
            .orElseThrow();
    var eventId = record.getOrDefault(EVENT_ID, "");
    var message =
        new ExecutionMessage(
            eventId.isEmpty() ? ExecutionNames.newEventId() : eventId,
            at,
            created,
            metadata(record));
    var partition = record.getOrDefault("partition", "");
    return publisher.publish(
        kind,
        created.id(),
        ExecutionCodec.encode(message),
        at,
        created.type(),
        record.get(TRACEPARENT),
        partition.isEmpty() ? ExecutionPublisher.BY_KEY : Integer.parseInt(partition),
        false);
  }

  /// The event that a record began with.
  public static ExecutionEvent of(ExecutionKind kind, Map<String, String> record) {
    return switch (kind) {
      case WORKFLOW -> ExecutionRecords.workflowCreated(record);
      case TASK -> ExecutionRecords.taskCreated(record);
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
        .put("source", ExecutionNames.GATEWAY)
        .putNull("userId")
        .put("apiVersion", ExecutionNames.VERSION);
  }
}
