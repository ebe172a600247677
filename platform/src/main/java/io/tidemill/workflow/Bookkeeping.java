package io.tidemill.workflow;

import static io.tidemill.contract.workflow.WorkflowFields.CORRELATION_ID;
import static io.tidemill.contract.workflow.WorkflowFields.EVENT_AT;
import static io.tidemill.contract.workflow.WorkflowFields.EVENT_ID;
import static io.tidemill.contract.workflow.WorkflowFields.MARK;
import static io.tidemill.contract.workflow.WorkflowFields.PARTITION;
import static io.tidemill.contract.workflow.WorkflowFields.PLACE;
import static io.tidemill.contract.workflow.WorkflowFields.TAKES;
import static io.tidemill.contract.workflow.WorkflowFields.TRACEPARENT;

import io.tidemill.contract.workflow.ExecutionRecords;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Where a workflow or task is in the queue, and where its events are in the topic.
///
/// @param place in the queue; empty while it is not admitted
/// @param takes how often it was taken since its last progress, this time included
/// @param eventId of the `created` event
/// @param eventAt time of the `created` event; null = when it was created
/// @param partition of the `created` event, which all others follow
/// @param mark offset of the last event that is known to be in the topic
public record Bookkeeping(
    String place,
    int takes,
    @Nullable String eventId,
    @Nullable Instant eventAt,
    @Nullable String traceparent,
    @Nullable String correlationId,
    @Nullable Integer partition,
    @Nullable Long mark) {
  public static Bookkeeping of(Map<String, String> hash) {
    var partition = ExecutionRecord.number(hash, PARTITION);
    return new Bookkeeping(
        hash.getOrDefault(PLACE, ""),
        ExecutionRecords.number(hash, TAKES),
        text(hash, EVENT_ID),
        ExecutionRecord.time(hash, EVENT_AT),
        text(hash, TRACEPARENT),
        hash.get(CORRELATION_ID),
        partition == null ? null : partition.intValue(),
        ExecutionRecord.number(hash, MARK));
  }

  private static @Nullable String text(Map<String, String> hash, String field) {
    var text = hash.get(field);
    return text == null || text.isEmpty() ? null : text;
  }
}
