package io.tidemill.analytics;

import io.tidemill.sql.SqlDatabase;
import java.sql.SQLException;

/// A call of the analytics database failed.
public final class AnalyticsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean passing;

  AnalyticsException(String message, Throwable cause) {
    this(message, cause, true);
  }

  private AnalyticsException(String message, Throwable cause, boolean passing) {
    super(message + ": " + firstLine(cause), cause);
    this.passing = passing;
  }

  static AnalyticsException of(String message, SQLException cause, SqlDatabase database) {
    return new AnalyticsException(message, cause, database.isPassing(cause));
  }

  /// Whether a retry may succeed: the database is unreachable or busy.
  public boolean isPassing() {
    return passing;
  }

  private static String firstLine(Throwable cause) {
    return String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
  }
}
