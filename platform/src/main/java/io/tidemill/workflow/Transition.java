package io.tidemill.workflow;

import io.tidemill.contract.workflow.ExecutionEvent;
import java.time.Instant;
import java.util.List;

/// What follows from an outcome: the next record, the change that leads to it, and its events.
public record Transition<R extends ExecutionRecord>(
    R next, ExecutionChange change, List<ExecutionEvent> events, Write write) {
  /// When the change is written, and whether the lease ends with it.
  public sealed interface Write {
    /// Together with a later change, if the work so far is cheap to repeat after a crash.
    record Deferred() implements Write {}

    record Immediate() implements Write {}

    /// The lease ends; it is due again at that time.
    record Release(Instant until) implements Write {}
  }

  static final Write DEFERRED = new Write.Deferred();
  static final Write IMMEDIATE = new Write.Immediate();
}
