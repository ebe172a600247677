package io.tidemill.contract.workflow;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// How a workflow or task stands.
public enum ExecutionStatus {
  PENDING,
  PROCESSING,
  RETRYING,
  COMPLETED,
  FAILED,
  CANCELED,
  DEAD_LETTER;

  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Whether nothing more happens without a retry.
  public boolean isTerminal() {
    return switch (this) {
      case PENDING, PROCESSING, RETRYING -> false;
      case COMPLETED, FAILED, CANCELED, DEAD_LETTER -> true;
    };
  }

  /// Those that one of this kind can have.
  public static List<ExecutionStatus> of(ExecutionKind kind) {
    return switch (kind) {
      case WORKFLOW -> List.of(PENDING, PROCESSING, COMPLETED, FAILED, CANCELED);
      case TASK -> List.of(values());
    };
  }

  public static Optional<ExecutionStatus> of(String wire) {
    return Arrays.stream(values()).filter(one -> one.wire().equals(wire)).findFirst();
  }
}
