package io.tidemill.content.html;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LenientDateTest {
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z"));

  @ParameterizedTest
  @CsvSource({
    "2024-05-01, 2024-05-01T00:00:00Z",
    "2024-5-1, 2024-05-01T00:00:00Z",
    "2024/05/01, 2024-05-01T00:00:00Z",
    "20240501, 2024-05-01T00:00:00Z",
    "20240501103000, 2024-05-01T10:30:00Z",
    "20240501T103000Z, 2024-05-01T10:30:00Z",
    "2024-05-01T10:30, 2024-05-01T10:30:00Z",
    "2024-05-01 10:30:15, 2024-05-01T10:30:15Z",
    "2024-05-01T10:30:15.123Z, 2024-05-01T10:30:15Z",
    "2024-05-01T10:30:15+02:00, 2024-05-01T08:30:15Z",
    "2024-05-01T10:30:15-0530, 2024-05-01T16:00:15Z",
    "2024-05-01T10:30:15+02, 2024-05-01T08:30:15Z",
    "2024-05-01 10:30:15 +0200, 2024-05-01T08:30:15Z",
    "1714559415, 2024-05-01T10:30:15Z",
    "1714559415000, 2024-05-01T10:30:15Z",
    "'Wed, 01 May 2024 10:30:15 GMT', 2024-05-01T10:30:15Z",
    "'Wed, 1 May 2024 10:30:15 +0200', 2024-05-01T08:30:15Z"
  })
  void readsDatesAsPagesWriteThem(String text, Instant date) {
    assertThat(LenientDate.parse(text, CLOCK)).isEqualTo(date);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "yesterday",
        "2024",
        "2024-13-01",
        "2024-02-30",
        "0001-01-01T00:00:00Z",
        "2024-05",
        "99999999999999999999",
        "2024-05-01T99:00",
        "2024-05-01T10:00+99:99",
        "2027-01-01"
      })
  void takesNothingElseForADate(String text) {
    assertThat(LenientDate.parse(text, CLOCK)).isNull();
  }

  @Test
  void allowsForClocksThatAreADayAhead() {
    assertThat(LenientDate.parse("2026-01-01T23:00:00Z", CLOCK)).isNotNull();
    assertThat(LenientDate.parse("2026-01-02T01:00:00Z", CLOCK)).isNull();
  }
}
