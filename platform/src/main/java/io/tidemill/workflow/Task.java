package io.tidemill.workflow;

import static io.tidemill.contract.workflow.WorkflowFields.NEXT_RETRY_AT;
import static io.tidemill.contract.workflow.WorkflowFields.RETRY_COUNT;
import static io.tidemill.contract.workflow.WorkflowFields.STARTED_AT;

import io.tidemill.contract.workflow.ExecutionEvent.TaskCreated;
import io.tidemill.contract.workflow.ExecutionRecords;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.contract.workflow.ExecutionTime;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A task.
///
/// @param retryCount attempts that failed
/// @param startedAt when the current or last attempt began
/// @param nextRetryAt when the next attempt is due
public record Task(
    TaskCreated created,
    Bookkeeping bookkeeping,
    ExecutionStatus status,
    int retryCount,
    @Nullable Instant startedAt,
    @Nullable Instant nextRetryAt,
    Ending ending)
    implements ExecutionRecord {
  public static Task of(Map<String, String> hash) {
    return new Task(
        ExecutionRecords.taskCreated(hash),
        Bookkeeping.of(hash),
        ExecutionRecord.status(hash),
        ExecutionRecords.number(hash, RETRY_COUNT),
        ExecutionRecord.time(hash, STARTED_AT),
        ExecutionRecord.time(hash, NEXT_RETRY_AT),
        Ending.of(hash));
  }

  public String type() {
    return created.taskType();
  }

  Task started(Instant now) {
    return new Task(
        created, bookkeeping, ExecutionStatus.PROCESSING, retryCount, now, null, ending);
  }

  Task retrying(int retry, Instant at, Ending failure) {
    return new Task(created, bookkeeping, ExecutionStatus.RETRYING, retry, startedAt, at, failure);
  }

  Task ended(ExecutionStatus how, Ending end) {
    return new Task(created, bookkeeping, how, retryCount, startedAt, null, end);
  }

  @Override
  public Transition<Task> canceled(String reason, Instant now) {
    return TaskTransition.after(this, new TaskOutcome.Canceled(reason), now);
  }

  @Override
  public Transition<Task> unpublished(Instant now) {
    return TaskTransition.after(this, new TaskOutcome.Unpublished(), now);
  }

  /// The fields that differ from those of an earlier version.
  ExecutionChange since(Task before) {
    var change = new ExecutionChange();
    if (status != before.status) change.status(status);
    change.diff(RETRY_COUNT, before.retryCount, retryCount, String::valueOf);
    change.diff(STARTED_AT, before.startedAt, startedAt, ExecutionTime::encode);
    change.diff(NEXT_RETRY_AT, before.nextRetryAt, nextRetryAt, ExecutionTime::encode);
    ending.diff(before.ending, change);
    return change;
  }
}
