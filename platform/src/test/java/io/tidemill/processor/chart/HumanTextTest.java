package io.tidemill.processor.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HumanTextTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "7, 7",
    "999, 999",
    "1000, 1k",
    "1500, 1.5k",
    "-1234567, -1.23M",
    "0.25, 0.25",
    "1e9, 1G",
    "1e20, 1e20",
    "1e-7, 1e-07",
    "999999, 1M",
    "NaN, –"
  })
  void axesHaveShortNumbers(double number, String expected) {
    assertThat(HumanText.brief(number)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "0, '0'",
    "1234567, '1,234,567'",
    "12.5, '12.5'",
    "0.33333, '0.3333'",
    "-2.10, '-2.1'"
  })
  void tablesHaveLongOnes(double number, String expected) {
    assertThat(HumanText.number(number)).isEqualTo(expected);
  }

  @Test
  void sizesAndSpansAreForPeople() {
    assertThat(HumanText.bytes(0)).isEqualTo("0 bytes");
    assertThat(HumanText.bytes(48_200_000)).isEqualTo("48.2 MB");
    assertThat(HumanText.span(Duration.ofSeconds(723))).isEqualTo("12 min 3 s");
    assertThat(HumanText.percent(0.0001)).isEqualTo("< 0.1%");
    assertThat(HumanText.percent(1)).isEqualTo("100%");
  }

  @Test
  void longTextIsCutBetweenCharacters() {
    assertThat(HumanText.shortened("🎉".repeat(50), 10).codePointCount(0, 19)).isEqualTo(10);
    assertThat(HumanText.fitted("🎉".repeat(50), 50, 10)).endsWith("…").hasSizeLessThan(12);
    assertThat(HumanText.fitted("short", 100, 10)).isEqualTo("short");
  }

  @Test
  void aTimelineHasItsEmptySteps() {
    var start = Instant.parse("2026-01-04T01:10:00Z");

    var points = Timeline.of(List.of(start, start.plusSeconds(1), start.plusSeconds(30)));

    assertThat(points).hasSize(31);
    assertThat(points.getFirst()).isEqualTo(new ChartPoint("01:10:00", 1));
    assertThat(points.stream().mapToDouble(ChartPoint::value).sum()).isEqualTo(3);
    assertThat(Timeline.of(List.of())).isEmpty();
    assertThat(Timeline.of(List.of(Instant.MIN, Instant.MAX))).isEmpty();
    assertThat(Timeline.of(List.of(Instant.EPOCH, Instant.parse("9998-01-01T00:00:00Z"))))
        .hasSizeBetween(2, 900);
  }

  @Test
  void wordsThatSayNothingDoNotCount() {
    var words = new WordCount();
    words.add("The tide mill and the tide. There were mills, with 1234 wheels.");
    words.add("Another tide mill: Привет мир, привет!");

    assertThat(words.top(5)).containsExactly(new ChartPoint("mill", 2), new ChartPoint("tide", 2));
  }
}
