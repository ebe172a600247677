package io.tidemill.search.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimilarityCutoffTest {
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          # nearest, background, expected
            0.37,    0.02,       0.30
            0.45,    0.10,       0.35
            0.45,    0.40,       0.40
            0.80,    0.02,       0.60
            0.00,    0.00,       0.30
          """)
  void aPageMustStandOutAndBeNearlyAsNearAsTheNearest(
      double nearest, double background, double expected) {
    assertThat(SimilarityCutoff.of(nearest, background, 0.3)).isCloseTo(expected, within(1e-9));
  }
}
