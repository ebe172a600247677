package io.tidemill.worker;

import static java.time.Instant.EPOCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.config.Settings;
import io.tidemill.contract.job.JobEntry;
import io.tidemill.job.HeldJob;
import io.tidemill.job.JobQueue;
import io.tidemill.job.JobsConfig;
import io.tidemill.job.StartedJob;
import io.tidemill.json.Json;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.redis.RedisException;
import io.tidemill.work.Lease;
import io.tidemill.work.Outcome;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunningJobTest {
  private static final long HOUR = Duration.ofHours(1).toNanos();

  private static final JobEntry ENTRY = new JobEntry("job", "chat", Json.object(), null, null);
  private static final HeldJob HELD =
      new HeldJob(new Lease("stream", "group", "consumer", "1-0", 1), "job", "chat", null);
  private static final StartedJob.Run STARTED = new StartedJob.Run(60, 1);

  @Test
  @SuppressWarnings("NullAway") // nothing is stored
  void waitsAreNoWork() { // C3.8: worker.timeout
    var job = new RunningJob(ENTRY, HELD, STARTED, null);
    var begun = System.nanoTime();

    assertThat(job.runNanos(begun + HOUR)).isGreaterThanOrEqualTo(HOUR);
    job.waits();
    assertThat(job.runNanos(System.nanoTime() + HOUR))
        .isEqualTo(job.runNanos(begun + 2 * HOUR))
        .isLessThan(HOUR);
    job.resumes();
    var on = System.nanoTime();
    assertThat(job.runNanos(on + HOUR)).isBetween(HOUR, HOUR + on - begun + HOUR);
    assertThat(job.runNanos(on + HOUR) - job.runNanos(on)).isEqualTo(HOUR);
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
      var queue =
          new JobQueue(redis, settings.section(JobsConfig.class), InstantSource.fixed(EPOCH));
      var job = new RunningJob(ENTRY, HELD, STARTED, queue);
      var settler = new JobSettler(queue, 1_000, Duration.ZERO, new SimpleMeterRegistry());

      assertThatThrownBy(() -> job.log("a line")).isInstanceOf(RedisException.class);
      assertThatCode(() -> settler.settle(HELD, new Outcome.Retry("not now"), Map.of()))
          .doesNotThrowAnyException();
    }
  }
}
