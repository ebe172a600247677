package io.tidemill.workflow;

import static io.tidemill.contract.workflow.WorkflowFields.COMPLETED_AT;
import static io.tidemill.contract.workflow.WorkflowFields.DURATION;
import static io.tidemill.contract.workflow.WorkflowFields.ERROR;
import static io.tidemill.contract.workflow.WorkflowFields.RESULT;
import static io.tidemill.contract.workflow.WorkflowFields.SUMMARY;

import io.tidemill.contract.workflow.ExecutionRecords;
import io.tidemill.contract.workflow.ExecutionTime;
import io.tidemill.json.Json;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// How a workflow or task ended; the error is also that of the last failed attempt.
///
/// @param duration milliseconds
/// @param summary of a workflow
/// @param result of a task
public record Ending(
    @Nullable Instant completedAt,
    @Nullable Long duration,
    @Nullable JsonNode error,
    @Nullable JsonNode summary,
    @Nullable JsonNode result) {
  static Ending of(Map<String, String> hash) {
    return new Ending(
        ExecutionRecord.time(hash, COMPLETED_AT),
        ExecutionRecord.number(hash, DURATION),
        ExecutionRecords.value(hash.get(ERROR)),
        ExecutionRecords.value(hash.get(SUMMARY)),
        ExecutionRecords.value(hash.get(RESULT)));
  }

  Ending at(@Nullable Instant startedAt, Instant now) {
    return new Ending(now, ExecutionRecord.millis(startedAt, now), error, summary, result);
  }

  Ending withError(@Nullable JsonNode because) {
    return new Ending(completedAt, duration, because, summary, result);
  }

  Ending withSummary(JsonNode counted) {
    return new Ending(completedAt, duration, error, counted, result);
  }

  Ending withResult(JsonNode returned) {
    return new Ending(completedAt, duration, null, summary, returned);
  }

  void diff(Ending before, ExecutionChange change) {
    change.diff(COMPLETED_AT, before.completedAt, completedAt, ExecutionTime::encode);
    change.diff(DURATION, before.duration, duration, String::valueOf);
    change.diff(ERROR, before.error, error, Json::text);
    change.diff(SUMMARY, before.summary, summary, Json::text);
    change.diff(RESULT, before.result, result, Json::text);
  }
}
