package io.tidemill.workflow;

import static io.tidemill.contract.workflow.WorkflowFields.STATUS;

import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.contract.workflow.ExecutionTime;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A workflow or task as its Redis hash has it, decoded.
public sealed interface ExecutionRecord permits Workflow, Task {
  /// The event that it began with.
  ExecutionEvent created();

  Bookkeeping bookkeeping();

  ExecutionStatus status();

  Ending ending();

  /// What follows from a cancel.
  Transition<? extends ExecutionRecord> canceled(String reason, Instant now);

  /// What follows when the broker refuses its `created` event.
  Transition<? extends ExecutionRecord> unpublished(Instant now);

  default String id() {
    return created().id();
  }

  static ExecutionRecord of(ExecutionKind kind, Map<String, String> hash) {
    return switch (kind) {
      case WORKFLOW -> Workflow.of(hash);
      case TASK -> Task.of(hash);
    };
  }

  static ExecutionStatus status(Map<String, String> hash) {
    return ExecutionStatus.of(hash.getOrDefault(STATUS, "")).orElse(ExecutionStatus.PENDING);
  }

  static @Nullable Instant time(Map<String, String> hash, String field) {
    return ExecutionTime.decode(hash.getOrDefault(field, "")).orElse(null);
  }

  static @Nullable Long number(Map<String, String> hash, String field) {
    var text = hash.getOrDefault(field, "");
    return text.isEmpty() ? null : Long.valueOf(text);
  }

  /// Milliseconds from a time to now; 0 when it is not known or lies ahead.
  static long millis(@Nullable Instant since, Instant now) {
    return since == null ? 0 : Math.max(0, now.toEpochMilli() - since.toEpochMilli());
  }
}
