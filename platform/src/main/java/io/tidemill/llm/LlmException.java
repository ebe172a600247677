package io.tidemill.llm;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// There is no answer.
public final class LlmException extends Exception {
  /// What a program can do about it.
  public enum Kind {
    /// A setting is missing; the message names it.
    NOT_CONFIGURED,
    /// The server does not want this call, and would not want it again.
    LLM_REFUSED,
    /// The server is away, busy, or breaks off its answers, on every try.
    LLM_UNAVAILABLE,
    /// What the server says is not the protocol.
    LLM_BAD_ANSWER,
    /// The answer has no end.
    LLM_TOO_LARGE,
    /// The time for the whole answer is over.
    LLM_TIMEOUT
  }

  private final Kind kind;
  private final boolean passing;
  private final @Nullable Duration retryAfter;

  private LlmException(Kind kind, String message, boolean passing, @Nullable Duration retryAfter) {
    super(message);
    this.kind = kind;
    this.passing = passing;
    this.retryAfter = retryAfter;
  }

  static LlmException lasting(Kind kind, String message) {
    return new LlmException(kind, message, false, null);
  }

  static LlmException passing(Kind kind, String message) {
    return new LlmException(kind, message, true, null);
  }

  static LlmException passing(Kind kind, String message, @Nullable Duration retryAfter) {
    return new LlmException(kind, message, true, retryAfter);
  }

  /// The same, as the end of that many tries.
  LlmException after(int tries) {
    return tries == 1 ? this : lasting(kind, getMessage() + " (after " + tries + " tries)");
  }

  /// What a program can do about it.
  public Kind kind() {
    return kind;
  }

  boolean isPassing() {
    return passing;
  }

  @Nullable Duration retryAfter() {
    return retryAfter;
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
