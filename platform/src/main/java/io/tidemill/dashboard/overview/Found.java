package io.tidemill.dashboard.overview;

import org.jspecify.annotations.Nullable;

/// What a source said, or why it said nothing.
///
/// @param value null when it did not answer
/// @param trouble empty when it did, or still may
record Found<T>(@Nullable T value, String trouble) {
  static <T> Found<T> of(T value) {
    return new Found<>(value, "");
  }

  static <T> Found<T> trouble(String why) {
    return new Found<>(null, why.isEmpty() ? "no answer" : why);
  }

  /// It was asked for the first time just now.
  static <T> Found<T> pending() {
    return new Found<>(null, "");
  }

  boolean isPending() {
    return value == null && trouble.isEmpty();
  }

  boolean isTrouble() {
    return value == null && !trouble.isEmpty();
  }
}
