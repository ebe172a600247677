package io.tidemill.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class GrowingDelayTest {

  private final GrowingDelay delays =
      new GrowingDelay(Duration.ofMillis(50), Duration.ofSeconds(5));

  @Test
  void doublesUpToTheLongest() {
    assertThat(LongStream.generate(() -> delays.next().toMillis()).limit(9))
        .containsExactly(50L, 100L, 200L, 400L, 800L, 1_600L, 3_200L, 5_000L, 5_000L);
  }

  @Test
  void startsOverAfterAReset() {
    delays.next();
    delays.next();

    delays.reset();

    assertThat(delays.next()).isEqualTo(Duration.ofMillis(50));
  }
}
