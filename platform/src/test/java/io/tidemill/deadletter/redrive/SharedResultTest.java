package io.tidemill.deadletter.redrive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SharedResultTest {
  private final AtomicInteger asked = new AtomicInteger();

  @Test
  void isFoundOnceForAllWhoAskSoon() {
    var shared = new SharedResult<>(Duration.ofMinutes(1), asked::incrementAndGet);

    assertThat(shared.answer()).isEqualTo(1);
    assertThat(shared.answer()).isEqualTo(1);
    shared.forget();
    assertThat(shared.answer()).isEqualTo(2);
  }

  @Test
  void aChangeDoesNotWaitForWhoLooksAndMakesThatAnswerOld() throws Exception {
    var looking = new CountDownLatch(1);
    var shared =
        new SharedResult<>(
            Duration.ofMinutes(1),
            () -> {
              var number = asked.incrementAndGet();
              try {
                if (number == 1) looking.await();
              } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
              }
              return number;
            });
    var first = CompletableFuture.supplyAsync(shared::answer);
    await().until(() -> asked.get() == 1);

    shared.forget(); // would hang here
    looking.countDown();

    assertThat(first.get()).isEqualTo(1);
    assertThat(shared.answer()).isEqualTo(2);
  }
}
