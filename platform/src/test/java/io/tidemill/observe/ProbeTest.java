package io.tidemill.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ProbeTest {
  @Test
  void aSilentServerFailsOnlyAfterAWhile() throws Exception {
    var seconds = new AtomicLong();
    var gate = new AtomicReference<>(new CountDownLatch(1));
    var answers = new AtomicLong();
    var asking = new AtomicReference<Thread>();
    var probe =
        new Probe<>(
            Duration.ZERO,
            () -> {
              asking.set(Thread.currentThread());
              gate.get().await();
              return Reading.of(answers.incrementAndGet());
            },
            () -> seconds.get() * 1_000_000_000L);

    probe.ask();
    assertThat(probe.answer(System.nanoTime()).isPending()).isTrue();
    seconds.set(6);
    assertThat(probe.answer(System.nanoTime()).problem()).isEqualTo("no answer for 6 s");
    gate.get().countDown();
    assertThat(probe.answer(inTime()).value()).isEqualTo(1);

    gate.set(new CountDownLatch(1));
    probe.ask();
    seconds.set(9); // the cached answer outlasts a single late one
    assertThat(probe.answer(System.nanoTime()).value()).isEqualTo(1);
    seconds.set(11);
    assertThat(probe.answer(System.nanoTime()).problem()).isEqualTo("no answer for 5 s");

    // An answer that arrives long after the last caller gave up is asked for again.
    gate.get().countDown();
    await().until(() -> answers.get() == 2);
    asking.get().join();
    seconds.set(3_600);
    probe.ask();
    assertThat(probe.answer(inTime()).value()).isEqualTo(3);
  }

  private static long inTime() {
    return System.nanoTime() + Duration.ofSeconds(10).toNanos();
  }

  @Test
  void aFailureIsDescribedInOneLineWithoutItsPassword() throws Exception {
    var probe =
        Probe.of(
            Duration.ZERO,
            () -> {
              throw new IllegalStateException("no route to amqp://me:secret@host\nat line 7");
            });

    probe.ask();

    assertThat(probe.answer(inTime())).isEqualTo(Reading.failed("no route to amqp://***@host"));
  }
}
