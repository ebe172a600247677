package io.tidemill.service;

import java.time.Duration;

/// Thrown by a handler whose dependency is down: the caller gets 503 and when to try again.
public final class Unavailable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Duration retryAfter;

  public Unavailable(String message, Duration retryAfter) {
    super(message);
    this.retryAfter = retryAfter;
  }

  public Unavailable(String message, Duration retryAfter, Throwable cause) {
    super(message, cause);
    this.retryAfter = retryAfter;
  }

  public Duration retryAfter() {
    return retryAfter;
  }
}
