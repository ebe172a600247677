package io.tidemill.json;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/// Times as we write them: UTC, ISO 8601, always with milliseconds (G2).
public final class IsoTime {
  private static final DateTimeFormatter MILLIS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private IsoTime() {}

  /// Such as `2026-01-04T01:09:27.120Z`, where [Instant#toString] has as many digits as it needs.
  public static String text(Instant at) {
    return MILLIS.format(at);
  }
}
