package io.tidemill.observe;

import org.jspecify.annotations.Nullable;

/// The state of a server or store: its value, why it can't be read, or that it is not known yet.
///
/// @param value null when there is none
/// @param problem empty when there is a value, or one is still to come
public record Reading<T>(@Nullable T value, String problem) {
  public static <T> Reading<T> of(T value) {
    return new Reading<>(value, "");
  }

  public static <T> Reading<T> failed(String problem) {
    return new Reading<>(null, problem.isEmpty() ? "no answer" : problem);
  }

  /// No answer yet, which is no failure.
  public static <T> Reading<T> pending() {
    return new Reading<>(null, "");
  }

  public boolean isPending() {
    return value == null && problem.isEmpty();
  }

  public boolean isFailed() {
    return !problem.isEmpty();
  }
}
