package io.tidemill.processor.input;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/// Instants as records hold them (G2).
final class RecordTimes {
  private static final DateTimeFormatter MILLIS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private RecordTimes() {}

  static @Nullable String text(@Nullable Instant at) {
    return at == null ? null : MILLIS.format(at);
  }
}
