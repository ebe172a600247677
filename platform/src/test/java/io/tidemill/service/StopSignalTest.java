package io.tidemill.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class StopSignalTest {
  private final StopSignal signal = new StopSignal();

  @Test
  void aRestEndsByItself() {
    signal.rest(Duration.ofMillis(1));
    signal.rest(Duration.ofMillis(-1));

    assertThat(signal.isStopping()).isFalse();
  }

  @Test
  void wakesWhoeverRests() throws InterruptedException {
    var thread = Thread.ofVirtual().start(() -> signal.rest(Duration.ofHours(1)));

    signal.stop();

    assertThat(thread.join(Duration.ofSeconds(5))).isTrue();
    assertThat(signal.isStopping()).isTrue();
  }

  @Test
  void anInterruptMeansStop() {
    Thread.currentThread().interrupt();

    signal.rest(Duration.ofHours(1));

    assertThat(signal.isStopping()).isTrue();
  }
}
