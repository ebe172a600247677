package io.tidemill.worker.wrong;

import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.List;

/// Asks the wall clock in every way; never called.
public final class LooksAtTheClock {
  private LooksAtTheClock() {}

  @SuppressWarnings({"JavaTimeDefaultTimeZone", "JavaUtilDate"})
  static List<Object> now() {
    return List.of(
        Instant.now(),
        System.currentTimeMillis(),
        LocalDateTime.now(),
        LocalDate.now(),
        ZonedDateTime.now(),
        OffsetDateTime.now(),
        Clock.systemUTC(),
        new Date());
  }
}
