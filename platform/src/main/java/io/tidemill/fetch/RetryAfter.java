package io.tidemill.fetch;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.apache.hc.client5.http.utils.DateUtils;

/// Reads a `Retry-After` field: seconds, or a date as HTTP writes it.
public final class RetryAfter {
  private static final Duration MOST = Duration.ofDays(365);
  private static final int MOST_DIGITS = 9;

  private RetryAfter() {}

  /// How long to wait; empty when it is neither.
  public static Optional<Duration> parse(String text, InstantSource clock) {
    var written = text.strip();
    if (!written.isEmpty() && written.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return Optional.of(written.length() > MOST_DIGITS ? MOST : seconds(written));
    }
    var date = DateUtils.parseStandardDate(written);
    return date == null ? Optional.empty() : Optional.of(between(clock.instant(), date));
  }

  private static Duration seconds(String digits) {
    return atMost(Duration.ofSeconds(Long.parseLong(digits)));
  }

  private static Duration between(Instant now, Instant date) {
    return date.isAfter(now) ? atMost(Duration.between(now, date)) : Duration.ZERO;
  }

  private static Duration atMost(Duration duration) {
    return duration.compareTo(MOST) > 0 ? MOST : duration;
  }
}
