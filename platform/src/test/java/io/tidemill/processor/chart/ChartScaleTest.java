package io.tidemill.processor.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.doubles;
import static org.quicktheories.generators.SourceDSL.lists;

import java.util.List;
import org.junit.jupiter.api.Test;

class ChartScaleTest {
  @Test
  void ticksAreRoundNumbersAroundTheValues() {
    assertThat(ChartScale.of(List.of(0.0, 978.0), 4).ticks()).containsExactly(0.0, 500.0, 1000.0);
    assertThat(ChartScale.of(List.of(-5.0, 17.0), 4).ticks())
        .containsExactly(-10.0, 0.0, 10.0, 20.0);
    assertThat(ChartScale.of(List.of(0.3, 0.75), 4).ticks())
        .satisfies(ticks -> assertThat(ticks.getLast()).isGreaterThanOrEqualTo(0.75));
  }

  @Test
  void countsHaveNoHalves() {
    assertThat(ChartScale.of(List.of(1.0, 2.0), 4).ticks()).containsExactly(0.0, 1.0, 2.0);
  }

  @Test
  void nothingAndOneValueMakeAnAxisToo() {
    assertThat(ChartScale.of(List.of(), 4).ticks()).containsExactly(0.0, 1.0);
    assertThat(ChartScale.of(List.of(0.0), 4).ticks()).containsExactly(0.0, 1.0);
    assertThat(ChartScale.of(List.of(7.0), 4).at(7.0)).isBetween(0.5, 1.0);
  }

  @Test
  void everyValueHasItsPlace() {
    qt().withExamples(5_000)
        .forAll(lists().of(doubles().any()).ofSizeBetween(0, 6))
        .checkAssert(values -> {
          var scale = ChartScale.of(values, 4);
          assertThat(scale.ticks()).isNotEmpty().hasSizeLessThan(50);
          for (var value : values) assertThat(scale.at(value)).isBetween(0.0, 1.0);
          assertThat(scale.high()).isGreaterThan(scale.low());
        });
  }
}
