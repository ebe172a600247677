package io.tidemill.llm;

import org.jspecify.annotations.Nullable;

/// A complete answer, with a finish reason from the server.
///
/// @param model as the server names it
/// @param finishReason `stop`; `length` when it was cut at its most tokens; or the server's own
///   word
/// @param usage null when the server does not report it
/// @param tries number of requests, 1 without failures
public record Completion(
    String text, String model, String finishReason, @Nullable Usage usage, int tries) {
  /// Tokens that were read and written.
  public record Usage(long prompt, long completion, long total) {
    /// Both together; null counts as nothing known.
    public static @Nullable Usage sum(@Nullable Usage one, @Nullable Usage other) {
      if (one == null || other == null) return one == null ? other : one;
      return new Usage(
          one.prompt + other.prompt, one.completion + other.completion, one.total + other.total);
    }
  }

  /// Whether it was cut at its maximum of tokens.
  public boolean isTruncated() {
    return finishReason.equals("length");
  }
}
