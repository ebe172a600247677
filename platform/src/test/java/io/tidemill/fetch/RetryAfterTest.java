package io.tidemill.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RetryAfterTest {
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2025-03-01T12:00:00Z"));

  @Test
  void readsSeconds() {
    assertThat(parse("121")).contains(Duration.ofSeconds(121));
    assertThat(parse(" 0 ")).contains(Duration.ZERO);
    assertThat(parse("9".repeat(500))).contains(Duration.ofDays(365));
  }

  @Test
  void readsADate() {
    for (var date :
        new String[] {"Sat, 01 Mar 2025 12:10:00 GMT", "Saturday, 01-Mar-25 12:10:00 GMT"}) {
      assertThat(parse(date)).as(date).contains(Duration.ofMinutes(10));
    }
    assertThat(parse("Sat, 01 Mar 2025 11:00:00 GMT")).contains(Duration.ZERO);
    assertThat(parse("Tue, 01 Mar 9025 11:00:00 GMT")).contains(Duration.ofDays(365));
  }

  @Test
  void hasNoAnswerToNonsense() {
    for (var text : new String[] {"", "-1", "soon", "1.5", "12a", "٣", "\u0000"}) {
      assertThat(parse(text)).as(text).isEmpty();
    }
  }

  private static Optional<Duration> parse(String text) {
    return RetryAfter.parse(text, CLOCK);
  }
}
