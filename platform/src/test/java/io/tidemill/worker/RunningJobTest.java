package io.tidemill.worker;

import static java.time.Instant.EPOCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.config.Settings;
import io.tidemill.contract.job.JobEntry;
import io.tidemill.job.JobStore;
import io.tidemill.job.JobStore.Held;
import io.tidemill.job.JobsConfig;
import io.tidemill.json.Json;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.redis.RedisException;
import io.tidemill.work.Lease;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunningJobTest {
  private static final long HOUR = Duration.ofHours(1).toNanos();

  private static final JobEntry ENTRY = new JobEntry("job", "chat", Json.object(), null, null);
  private static final Held HELD =
      new Held(new Lease("stream", "group", "consumer", "1-0", 1), "job", null);

  @Test
  @SuppressWarnings("NullAway") // nothing is stored
  void waitsAreNoWork() { // C3.8: worker.timeout
    var job = new RunningJob(ENTRY, HELD, 60, null);
    var begun = System.nanoTime();

    assertThat(job.nanosAtWork(begun + HOUR)).isGreaterThanOrEqualTo(HOUR);
    job.waits();
    assertThat(job.nanosAtWork(System.nanoTime() + HOUR))
        .isEqualTo(job.nanosAtWork(begun + 2 * HOUR))
        .isLessThan(HOUR);
    job.resumes();
    var on = System.nanoTime();
    assertThat(job.nanosAtWork(on + HOUR)).isBetween(HOUR, HOUR + on - begun + HOUR);
    assertThat(job.nanosAtWork(on + HOUR) - job.nanosAtWork(on)).isEqualTo(HOUR);
  }

  @Test
  void isLeftForAnotherAttemptThoughRedisIsAway() { // C3.8
    var settings =
        Settings.load(
            null,
            Map.of(),
            Map.of("redis.url", "redis://127.0.0.1:1"),
            List.of(RedisConfig.class, JobsConfig.class));
    try (var redis = new Redis(settings.section(RedisConfig.class))) {
      var store =
          new JobStore(redis, settings.section(JobsConfig.class), InstantSource.fixed(EPOCH));
      var job = new RunningJob(ENTRY, HELD, 60, store);

      assertThatThrownBy(() -> job.log("a line")).isInstanceOf(RedisException.class);
      assertThatCode(() -> job.tellRetry("not now")).doesNotThrowAnyException();
    }
  }
}
