package io.tidemill.observe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceRateTest {
  private static final long MILLI = 1_000_000;

  // Clocks of this kind begin anywhere, and may run over.
  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - 5 * MILLI, Long.MIN_VALUE})
  void aSecondsWorthPassesAtOnceAndThenOneAtATime(long now) {
    var rate = new TraceRate(20, now);

    assertThat(passed(rate, now, 100)).isEqualTo(20);
    assertThat(rate.tryAcquire(now + 49 * MILLI)).isFalse();
    assertThat(passed(rate, now + 50 * MILLI, 10)).isEqualTo(1);
    assertThat(passed(rate, now + 10_000 * MILLI, 100)).isEqualTo(20);
  }

  @Test
  void aRateOfZeroAdmitsNone() {
    assertThat(new TraceRate(0, 0).tryAcquire(5_000 * MILLI)).isFalse();
  }

  private static int passed(TraceRate rate, long now, int tries) {
    var passed = 0;
    for (int i = 0; i < tries; i++) if (rate.tryAcquire(now)) passed++;
    return passed;
  }
}
