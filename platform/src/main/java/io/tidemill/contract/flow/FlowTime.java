package io.tidemill.contract.flow;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.chrono.IsoChronology;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.util.Locale;
import java.util.Optional;

/// Times as C2 writes them: ISO 8601 in UTC with milliseconds. What others write is read with any
/// offset and any number of digits; without an offset it is UTC.
public final class FlowTime {
  private static final DateTimeFormatter WIRE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter ANY =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
          .parseCaseInsensitive()
          .optionalStart()
          .appendOffset("+HH:MM", "Z")
          .optionalEnd()
          .optionalStart()
          .appendOffset("+HHMM", "Z")
          .toFormatter(Locale.ROOT)
          .withResolverStyle(ResolverStyle.STRICT)
          .withChronology(IsoChronology.INSTANCE);
  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999Z");

  private FlowTime() {}

  public static String encode(Instant time) {
    return WIRE.format(time);
  }

  public static Optional<Instant> decode(String text) {
    try {
      var parsed = ANY.parseBest(text, OffsetDateTime::from, LocalDateTime::from);
      var time =
          parsed instanceof OffsetDateTime there
              ? there.toInstant()
              : ((LocalDateTime) parsed).toInstant(ZoneOffset.UTC);
      // What has no four-digit year can't be written again.
      return Optional.of(time).filter(one -> !one.isBefore(Instant.EPOCH) && !one.isAfter(LATEST));
    } catch (DateTimeException notATime) {
      return Optional.empty();
    }
  }
}
