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
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException noOffset) {
      return local(field, text);
    }
  }

  private static Instant local(String field, String text) {
    try {
      return LocalDateTime.parse(text.replace(' ', 'T')).toInstant(ZoneOffset.UTC);
    } catch (DateTimeException notATime) {
      throw new IllegalArgumentException(field + " must be an ISO 8601 time", notATime);
    }
  }
}
