package io.tidemill.content.sitemap;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/// Dates as sitemaps (W3C) and feeds (RFC 822) write them.
final class SitemapDates {
  private static final int DAY = 10;

  private SitemapDates() {}

  static @Nullable Instant instant(@Nullable String text) {
    if (text == null || text.length() < 4 || text.length() > 64) return null;
    try {
      if (!Character.isDigit(text.charAt(3))) return feed(text);
      if (text.length() > DAY) return time(text);
      return day(text).atStartOfDay(ZoneOffset.UTC).toInstant();
    } catch (DateTimeException notADate) {
      return null;
    }
  }

  private static LocalDate day(String text) {
    return switch (text.length()) {
      case 4 -> LocalDate.of(Integer.parseInt(text), 1, 1);
      case 7 -> YearMonth.parse(text).atDay(1);
      default -> LocalDate.parse(text);
    };
  }

  /// Without a zone it is UTC; a space for the `T` is common.
  private static Instant time(String text) {
    var iso =
        text.charAt(DAY) == ' ' ? text.substring(0, DAY) + "T" + text.substring(DAY + 1) : text;
    int zone = Math.max(iso.indexOf('Z'), Math.max(iso.indexOf('+'), iso.indexOf('-', DAY)));
    if (zone < 0) return OffsetDateTime.parse(iso + "Z").toInstant();
    boolean bare = iso.length() - zone == 5 && iso.charAt(zone) != 'Z'; // +0200
    return OffsetDateTime.parse(bare ? new StringBuilder(iso).insert(zone + 3, ':') : iso)
        .toInstant();
  }

  private static Instant feed(String text) {
    return DateTimeFormatter.RFC_1123_DATE_TIME.parse(text, ZonedDateTime::from).toInstant();
  }
}
