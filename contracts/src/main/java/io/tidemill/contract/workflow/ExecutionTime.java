package io.tidemill.contract.workflow;

import io.tidemill.json.IsoTime;
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
public final class ExecutionTime {
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
  private static final String FORM = "0000-00-00T00:00:00.000Z";
  private static final Pattern TOO_FINE = Pattern.compile("(\\.[0-9]{9})[0-9]+");
  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999Z");

  private ExecutionTime() {}

  public static String encode(Instant time) {
    return IsoTime.text(time);
  }

  // Nearly all are as we write them, and the general way costs ten times as much.
  private static boolean isOurs(String text) {
    if (text.length() != FORM.length()) return false;
    for (int i = 0; i < FORM.length(); i++) {
      var c = text.charAt(i);
      if (FORM.charAt(i) == '0' ? c < '0' || c > '9' : c != FORM.charAt(i)) return false;
    }
    return number(text, 0, 4) >= 1970;
  }

  private static Instant ours(String text) {
    return LocalDateTime.of(
            number(text, 0, 4),
            number(text, 5, 7),
            number(text, 8, 10),
            number(text, 11, 13),
            number(text, 14, 16),
            number(text, 17, 19),
            number(text, 20, 23) * 1_000_000)
        .toInstant(ZoneOffset.UTC);
  }

  private static int number(String text, int from, int to) {
    return Integer.parseInt(text, from, to, 10);
  }

  // Digits beyond a nanosecond say nothing that could be kept.
  private static String cut(String text) {
    return TOO_FINE.matcher(text).replaceFirst("$1");
  }

  public static Optional<Instant> decode(String text) {
    try {
      if (isOurs(text)) return Optional.of(ours(text));
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
