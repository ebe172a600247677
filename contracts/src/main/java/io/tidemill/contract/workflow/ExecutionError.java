package io.tidemill.contract.workflow;

import org.jspecify.annotations.Nullable;

/// What went wrong.
///
/// @param code upper case with underscores, for programs
/// @param message a sentence for people
/// @param stack where it happened; not every event carries it
/// @param retryable whether another attempt may help; not every event carries it
public record ExecutionError(
    String code, String message, @Nullable String stack, @Nullable Boolean retryable) {
  public ExecutionError(String code, String message) {
    this(code, message, null, null);
  }
}
