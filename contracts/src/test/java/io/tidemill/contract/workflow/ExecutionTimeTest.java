package io.tidemill.contract.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.longs;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExecutionTimeTest {
  @ParameterizedTest
  @CsvSource({
    "2026-01-04T01:09:27Z, 2026-01-04T01:09:27Z",
    "2026-01-04T01:09:27.123Z, 2026-01-04T01:09:27.123Z",
    "2026-01-04t01:09:27.123z, 2026-01-04T01:09:27.123Z",
    "2026-01-04T01:09:27.123456789Z, 2026-01-04T01:09:27.123456789Z",
    "2026-01-04T01:09:27.123456+00:00, 2026-01-04T01:09:27.123456Z",
    "2026-01-04T03:09:27+02:00, 2026-01-04T01:09:27Z",
    "2026-01-03T20:09:27-0500, 2026-01-04T01:09:27Z",
    "2026-01-04T03:09:27.5+02, 2026-01-04T01:09:27.5Z",
    "2026-01-04T01:09:27.1234567890123Z, 2026-01-04T01:09:27.123456789Z",
    "2026-01-04T01:09:27.123, 2026-01-04T01:09:27.123Z",
    "2026-01-04T01:09, 2026-01-04T01:09:00Z",
  })
  void readsWhatOthersWrite(String text, Instant time) { // C2.2
    assertThat(ExecutionTime.decode(text)).contains(time);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Z",
        "now",
        "2026-01-04",
        "2026-13-04T01:09:27Z",
        "2026-02-29T01:09:27Z",
        "2026-01-04T24:09:27Z",
        "2026-02-29T01:09:27.123Z",
        "2026-01-04T01:60:27.123Z",
        "2026-01-04T01:09:61.123Z",
        "2026-01-04T01:09:27.+23Z",
        "2026-01-04T01:09:27Zx",
        "2026-01-04T01:09:27+99:00",
        "1735949367123",
        "1969-12-31T23:59:59.999Z",
        "+10000-01-01T00:00:00Z",
        "-0001-01-01T00:00:00Z",
        "+999999999-12-31T23:59:59-18:00"
      })
  void refusesTheRest(String text) {
    assertThat(ExecutionTime.decode(text)).isEmpty();
  }

  @Test
  void everyTimeComesBackAsItWasWritten() { // C2.3
    qt().forAll(longs().between(0, Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli()))
        .check(millis -> {
          var time = Instant.ofEpochMilli(millis);
          return ExecutionTime.decode(ExecutionTime.encode(time)).equals(Optional.of(time));
        });
  }
}
