package io.tidemill.content.html;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Reads dates as pages write them: ISO 8601 in all its shades, dates of mail and feeds, seconds
/// since 1970. A date from the future, or from before the web's text went digital, is none.
final class LenientDate {
  private static final Instant EARLIEST = Instant.EPOCH;
  private static final DateTimeFormatter MAIL =
      DateTimeFormatter.RFC_1123_DATE_TIME.withLocale(Locale.ROOT);

  private final String text;
  private int at;

  private LenientDate(String text) {
    this.text = text;
  }

  /// The instant; null when it can't be read, or can't be true.
  static @Nullable Instant parse(@Nullable String text, InstantSource clock) {
    if (text == null || text.length() > 100) return null;
    var read = read(text.strip());
    if (read == null || read.isBefore(EARLIEST)) return null;
    return read.isAfter(clock.instant().plus(Duration.ofDays(1))) ? null : read;
  }

  private static @Nullable Instant read(String text) {
    if (text.length() < 8) return null;
    try {
      if (isDigit(text.charAt(0)) && isDigit(text.charAt(3))) return new LenientDate(text).iso();
      return mail(text);
    } catch (DateTimeException notADate) {
      return null;
    }
  }

  private static Instant mail(String text) {
    var fixed = text.endsWith("UT") || text.endsWith("UTC") ? "GMT" : null;
    var shown = fixed == null ? text : text.substring(0, text.lastIndexOf(' ') + 1) + fixed;
    return Instant.from(MAIL.parse(shown));
  }

  private @Nullable Instant iso() {
    var digits = 0;
    while (digits < text.length() && isDigit(text.charAt(digits))) digits++;
    if (digits == text.length() && digits >= 10) return epoch(digits);
    var year = number(4);
    skip("-/.");
    var month = number(digits == 8 || digits > 4 ? 2 : digitsHere());
    skip("-/.");
    var day = number(digits == 8 || digits > 4 ? 2 : digitsHere());
    var date = LocalDateTime.of(year, month, day, 0, 0);
    if (at >= text.length()) return date.toInstant(ZoneOffset.UTC);
    skip("Tt ");
    skip(" ");
    if (at >= text.length() || !isDigit(text.charAt(at))) return date.toInstant(ZoneOffset.UTC);
    return time(date);
  }

  private @Nullable Instant epoch(int digits) {
    if (digits == 10) return Instant.ofEpochSecond(Long.parseLong(text));
    if (digits == 13) return Instant.ofEpochMilli(Long.parseLong(text));
    if (digits != 14) return null;
    at = 8;
    var date =
        LocalDateTime.of(
            part(0, 4), part(4, 6), part(6, 8), part(8, 10), part(10, 12), part(12, 14));
    return date.toInstant(ZoneOffset.UTC);
  }

  private int part(int from, int to) {
    return Integer.parseInt(text, from, to, 10);
  }

  private Instant time(LocalDateTime date) {
    var hour = number(digitsHere());
    skip(":");
    var minute = number(Math.min(2, digitsHere()));
    var second = 0;
    if (skip(":") || digitsHere() == 2) second = Math.min(59, number(Math.min(2, digitsHere())));
    if (skip(".,")) while (at < text.length() && isDigit(text.charAt(at))) at++;
    skip(" ");
    var time = date.withHour(hour).withMinute(minute).withSecond(second);
    return time.toInstant(offset());
  }

  private ZoneOffset offset() {
    if (at >= text.length()) return ZoneOffset.UTC;
    var sign = text.charAt(at++);
    if (sign != '+' && sign != '-' && sign != '\u2212') return ZoneOffset.UTC;
    var hours = number(Math.min(2, digitsHere()));
    skip(":");
    var minutes = at < text.length() ? number(Math.min(2, digitsHere())) : 0;
    return ZoneOffset.ofTotalSeconds((sign == '+' ? 1 : -1) * (hours * 3600 + minutes * 60));
  }

  private int digitsHere() {
    var end = at;
    while (end < text.length() && end < at + 2 && isDigit(text.charAt(end))) end++;
    return end - at;
  }

  private int number(int digits) {
    if (digits == 0 || at + digits > text.length()) throw new DateTimeException(text);
    var value = 0;
    for (var end = at + digits; at < end; at++) {
      if (!isDigit(text.charAt(at))) throw new DateTimeException(text);
      value = value * 10 + text.charAt(at) - '0';
    }
    return value;
  }

  private boolean skip(String any) {
    if (at >= text.length() || any.indexOf(text.charAt(at)) < 0) return false;
    at++;
    return true;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
