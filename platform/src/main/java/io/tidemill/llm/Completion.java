package io.tidemill.llm;

import org.jspecify.annotations.Nullable;

/// A whole answer: the server said that it is at its end, and why.
///
/// @param model as the server names it
/// @param finishReason `stop`; `length` when it was cut at its most tokens; or the server's own
///   word
/// @param usage null when the server does not count
/// @param tries how often the server was asked for it, 1 when nothing went wrong
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

  /// Whether the model had more to say.
  public boolean isTruncated() {
    return finishReason.equals("length");
  }
}
