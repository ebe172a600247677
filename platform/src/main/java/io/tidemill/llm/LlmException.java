package io.tidemill.llm;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The model gave no answer.
public final class LlmException extends Exception {
  /// The cause, as the error code of a job.
  public enum Kind {
    /// A setting is missing; the message names it.
    NOT_CONFIGURED,
    /// The server refuses this call, and would refuse it again.
    LLM_REFUSED,
    /// The server was away or busy, or broke off its answer, on every try.
    LLM_UNAVAILABLE,
    /// The server does not speak the protocol.
    LLM_BAD_ANSWER,
    /// The answer is longer than `llm.max-answer`.
    LLM_TOO_LARGE,
    /// The whole answer took longer than `llm.timeout`.
    LLM_TIMEOUT
  }

  private final Kind kind;
  private final boolean isTransient;
  private final @Nullable Duration retryAfter;

  private LlmException(
      Kind kind, String message, boolean isTransient, @Nullable Duration retryAfter) {
    super(message);
    this.kind = kind;
    this.isTransient = isTransient;
    this.retryAfter = retryAfter;
  }

  static LlmException permanent(Kind kind, String message) {
    return new LlmException(kind, message, false, null);
  }

  static LlmException transientFault(Kind kind, String message) {
    return new LlmException(kind, message, true, null);
  }

  static LlmException transientFault(Kind kind, String message, @Nullable Duration retryAfter) {
    return new LlmException(kind, message, true, retryAfter);
  }

  /// The failure of the last of several tries.
  LlmException after(int tries) {
    return tries == 1 ? this : permanent(kind, getMessage() + " (after " + tries + " tries)");
  }

  public Kind kind() {
    return kind;
  }

  boolean isTransient() {
    return isTransient;
  }

  @Nullable Duration retryAfter() {
    return retryAfter;
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
