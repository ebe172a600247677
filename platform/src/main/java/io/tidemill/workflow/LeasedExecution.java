package io.tidemill.workflow;

import io.tidemill.contract.workflow.ExecutionStatus;
import java.util.List;
import java.util.Map;

/// A workflow or task that this process holds by lease.
///
/// @param run the fence: the holder of an older run can't write (F03)
/// @param hash its record when taken, not decoded yet
/// @param outbox events that are recorded and not known to be in the topic
public record LeasedExecution(
    String id, String run, Map<String, String> hash, Bookkeeping bookkeeping, List<String> outbox) {
  public LeasedExecution(String id, String run, Map<String, String> hash, List<String> outbox) {
    this(id, run, hash, Bookkeeping.of(hash), outbox);
  }

  /// The status when it was taken.
  public ExecutionStatus status() {
    return ExecutionRecord.status(hash);
  }

  /// The field's value; empty text when there is none.
  public String field(String name) {
    return hash.getOrDefault(name, "");
  }
}
