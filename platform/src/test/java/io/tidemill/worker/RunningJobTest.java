package io.tidemill.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.contract.Json;
import io.tidemill.contract.job.JobEntry;
import io.tidemill.store.redis.JobStore.Held;
import io.tidemill.work.Lease;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RunningJobTest {
  private static final long HOUR = Duration.ofHours(1).toNanos();

  @Test
  @SuppressWarnings("NullAway") // nothing is stored
  void waitsAreNoWork() { // C3.8: worker.timeout
    var entry = new JobEntry("job", "chat", Json.object(), null, null);
    var held = new Held(new Lease("stream", "group", "consumer", "1-0", 1), "job", null);
    var job = new RunningJob(entry, held, 60, null);
    var begun = System.nanoTime();

    assertThat(job.nanosAtWork(begun + HOUR)).isGreaterThanOrEqualTo(HOUR);
    job.waits();
    assertThat(job.nanosAtWork(System.nanoTime() + HOUR))
        .isEqualTo(job.nanosAtWork(begun + 2 * HOUR))
        .isLessThan(HOUR);
    job.goesOn();
    var on = System.nanoTime();
    assertThat(job.nanosAtWork(on + HOUR)).isBetween(HOUR, HOUR + on - begun + HOUR);
    assertThat(job.nanosAtWork(on + HOUR) - job.nanosAtWork(on)).isEqualTo(HOUR);
  }
}
