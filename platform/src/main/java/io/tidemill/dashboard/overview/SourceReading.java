package io.tidemill.dashboard.overview;

import org.jspecify.annotations.Nullable;

/// What a source said, or why it said nothing.
///
/// @param value null when it did not answer
/// @param trouble empty when it did, or still may
record SourceReading<T>(@Nullable T value, String trouble) {
  static <T> SourceReading<T> of(T value) {
    return new SourceReading<>(value, "");
  }

  static <T> SourceReading<T> trouble(String why) {
    return new SourceReading<>(null, why.isEmpty() ? "no answer" : why);
  }

  /// It was asked for the first time just now.
  static <T> SourceReading<T> pending() {
    return new SourceReading<>(null, "");
  }

  boolean isPending() {
    return value == null && trouble.isEmpty();
  }

  boolean isTrouble() {
    return value == null && !trouble.isEmpty();
  }
}
