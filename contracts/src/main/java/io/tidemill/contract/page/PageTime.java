package io.tidemill.contract.page;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;

/// Reads ISO 8601 in any offset and precision; what names no offset is UTC, as the contract says
/// (G2, C4.2).
final class PageTime {
  private static final DateTimeFormatter READ =
      new DateTimeFormatterBuilder()
          .parseCaseInsensitive()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .optionalStart()
          .appendPattern("['T'][ ]")
          .append(DateTimeFormatter.ISO_LOCAL_TIME)
          .appendPattern("[XXX][XX][X]")
          .optionalEnd()
          .toFormatter();

  private PageTime() {}

  static Instant read(String text) {
    try {
      var instant = instant(text.strip());
      var year = instant.atOffset(ZoneOffset.UTC).getYear();
      if (year >= 0 && year <= 9999) return instant;
    } catch (DateTimeException notATime) {
      // Said below, as for a year that nobody can write.
    }
    throw new IllegalArgumentException("the timestamp is not ISO 8601");
  }

  private static Instant instant(String text) {
    var best = READ.parseBest(text, OffsetDateTime::from, LocalDateTime::from, LocalDate::from);
    return switch (best) {
      case OffsetDateTime exact -> exact.toInstant();
      case LocalDateTime local -> local.toInstant(ZoneOffset.UTC);
      default -> LocalDate.from(best).atStartOfDay().toInstant(ZoneOffset.UTC);
    };
  }
}
