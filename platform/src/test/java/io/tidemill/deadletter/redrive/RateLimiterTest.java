package io.tidemill.deadletter.redrive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RateLimiterTest {
  private final AtomicLong now = new AtomicLong();
  private final RateLimiter pace = new RateLimiter(10, now::get);

  @Test
  void keepsTheDistance() {
    assertThat(pace.next()).isZero();
    assertThat(pace.next()).isEqualTo(100_000_000);
    now.addAndGet(150_000_000);
    assertThat(pace.next()).isEqualTo(50_000_000);
  }

  @Test
  void whoWasSlowDoesNotCatchUp() {
    assertThat(pace.next()).isZero();
    now.addAndGet(10_000_000_000L);

    assertThat(pace.next()).isZero();
    assertThat(pace.next()).isEqualTo(100_000_000);
  }
}
