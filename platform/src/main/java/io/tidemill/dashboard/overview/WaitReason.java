package io.tidemill.dashboard.overview;

import org.jspecify.annotations.Nullable;

/// Why something waits.
///
/// @param text in words, with what to do about it
/// @param until when that changes by itself, epoch milliseconds; null when nobody knows
record WaitReason(Code code, Level level, String text, @Nullable Long until) {
  /// What kind of reason it is.
  enum Code {
    NO_CONSUMER,
    HOST_WAITS,
    RETRY_AT,
    PAUSED,
    BACK_PRESSURE,
    BUSY,
    LIMIT,
    SERVER_DOWN
  }

  /// How bad something is, the best first.
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
