package io.tidemill.dashboard.overview;

import org.jspecify.annotations.Nullable;

/// A reason why messages wait.
///
/// @param text the reason and the remedy
/// @param until when it ends by itself, epoch milliseconds; null when not known
record WaitReason(Code code, Level level, String text, @Nullable Long until) {
  /// The kind of reason.
  enum Code {
    NO_CONSUMER,
    HOST_WAITS,
    RETRY_AT,
    PAUSED,
    BACK_PRESSURE,
    BUSY,
    LIMIT,
    SERVER_DOWN,
    INDEX_ELSEWHERE
  }

  /// The severity, the best first.
  enum Level {
    OK,
    BUSY,
    WARN,
    DOWN
  }

  static WaitReason of(Code code, Level level, String text) {
    return new WaitReason(code, level, text, null);
  }
}
