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
import java.util.regex.Pattern;

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
          .optionalEnd()
          .optionalStart()
          .appendOffset("+HH", "Z")
          .toFormatter(Locale.ROOT)
          .withResolverStyle(ResolverStyle.STRICT)
          .withChronology(IsoChronology.INSTANCE);
  private static final Pattern TOO_FINE = Pattern.compile("(\\.[0-9]{9})[0-9]+");
  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999Z");

  private FlowTime() {}

  public static String encode(Instant time) {
    return WIRE.format(time);
  }

  // Digits beyond a nanosecond say nothing that could be kept.
  private static String cut(String text) {
    return TOO_FINE.matcher(text).replaceFirst("$1");
  }

  public static Optional<Instant> decode(String text) {
    try {
      var parsed = ANY.parseBest(cut(text), OffsetDateTime::from, LocalDateTime::from);
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
