package io.tidemill.store.analytics;

/// The analytics database did not do what was asked.
public final class AnalyticsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  AnalyticsException(String message, Throwable cause) {
    super(message + ": " + cause.getMessage(), cause);
  }
}
