package io.tidemill.support;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.job.BacklogReleaser;
import io.tidemill.job.JobQueue;
import io.tidemill.job.JobStore;
import io.tidemill.job.JobsConfig;
import io.tidemill.llm.LanguageModel;
import io.tidemill.llm.LlmConfig;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.Traces;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.service.Services;
import io.tidemill.trace.MessageSamples;
import io.tidemill.worker.HandlerRegistry;
import io.tidemill.worker.WorkerConfig;
import io.tidemill.worker.WorkerRole;
import io.tidemill.worker.ai.AiHandlers;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/// The worker role in this process.
public final class TestWorker implements JobPlatform.Part {
  private final Redis redis;
  private final MeterRegistry metrics = new SimpleMeterRegistry();
  private final LanguageModel model;
  private final Services services;

  public TestWorker(String redisUrl, String consumer, String... overrides) {
    var settings = Wiring.settings(redisUrl, List.of(overrides));
    var jobs = settings.section(JobsConfig.class);
    redis = new Redis(settings.section(RedisConfig.class));
    model = new LanguageModel(settings.section(LlmConfig.class), InstantSource.system(), metrics);
    var store = new JobStore(redis, jobs, InstantSource.system());
    var handlers =
        HandlerRegistry.find(Path.of("no-plugins-here"), List.of(), AiHandlers.of(model));
    var role =
        new WorkerRole(
            new WorkerRole.Config(settings.section(WorkerConfig.class), jobs, consumer),
            redis,
            new JobQueue(redis, jobs, InstantSource.system()),
            handlers,
            MessageSamples.off(),
            new Traces(settings.section(ObserveConfig.class)),
            metrics);
    services = new Services(List.of(new BacklogReleaser(store.backlog(), metrics), role));
    services.start();
  }

  /// How many deliveries ended that way.
  public double deliveries(String end) {
    var counter = metrics.find("worker.deliveries").tag("end", end).counter();
    return counter == null ? 0 : counter.count();
  }

  @Override
  public void close() {
    services.close();
    model.close();
    redis.close();
  }
}
