package io.tidemill.contract.collected;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/// Times as they are written in messages and items.
public final class CollectedTime {
  private CollectedTime() {}

  /// Any offset and precision; without an offset it is UTC (G2).
  ///
  /// @throws IllegalArgumentException that names the field
  public static Instant read(String field, String text) {
    var written = text.replace(' ', 'T');
    try {
      return within(field, OffsetDateTime.parse(written).toInstant());
    } catch (DateTimeException noOffset) {
      return within(field, local(field, written));
    }
  }

  // What no database holds is nobody's date.
  private static Instant within(String field, Instant time) {
    var year = time.atOffset(ZoneOffset.UTC).getYear();
    if (year >= 1 && year <= 9999) return time;
    throw new IllegalArgumentException(field + " must be a time from year 1 to year 9999");
  }

  private static Instant local(String field, String text) {
    try {
      return LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
    } catch (DateTimeException notATime) {
      throw new IllegalArgumentException(field + " must be an ISO 8601 time", notATime);
    }
  }
}
